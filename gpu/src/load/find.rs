//! Where the libraries may be.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Groups of places, in the order of the search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Places {
    /// Paths that the program gives, or the variable `DIFFERENTIABLE_CUDA`: files, or folders with the usual names.
    Given,
    /// What the loader of the system finds by name.
    System,
    /// Where toolkits are installed.
    Toolkits,
    /// Python's packages `nvidia-cuda-nvrtc` and `nvidia-cublas`, in environments that variables name.
    Environments,
    /// The same packages for the Python that is found first, which is asked.
    Python,
}

impl Places {
    pub(super) const ALL: [Places; 5] = [
        Places::Given,
        Places::System,
        Places::Toolkits,
        Places::Environments,
        Places::Python,
    ];
}

/// Paths at which a library may be. With `given` places, there are no others.
pub(super) fn candidates(
    places: Places,
    given: Option<&[PathBuf]>,
    names: &[&str],
) -> Vec<PathBuf> {
    if let Some(given) = given {
        return if places == Places::Given {
            in_given(given.to_vec(), names)
        } else {
            Vec::new()
        };
    }
    match places {
        Places::Given => {
            let paths = env::var_os("DIFFERENTIABLE_CUDA").unwrap_or_default();
            in_given(
                env::split_paths(&paths)
                    .filter(|path| !path.as_os_str().is_empty())
                    .collect(),
                names,
            )
        }
        Places::System => file_names(names).into_iter().map(PathBuf::from).collect(),
        Places::Toolkits => in_folders(toolkits(), names),
        Places::Environments => in_folders(environments(), names),
        Places::Python => in_folders(python(), names),
    }
}

fn file_names(names: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = names
        .iter()
        .flat_map(|name| cudarc::get_lib_name_candidates(name))
        .collect();
    // The name that an installed driver always has comes first: the one without a number belongs to toolkits.
    if let Some(at) = all.iter().position(|name| name == "libcuda.so.1") {
        all.swap(0, at);
    }
    all
}

fn in_given(paths: Vec<PathBuf>, names: &[&str]) -> Vec<PathBuf> {
    let (files, folders): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_file());
    let mut all = files;
    for folder in folders {
        all.extend(file_names(names).iter().map(|name| folder.join(name)));
    }
    all
}

/// The files that are there.
fn in_folders(folders: Vec<PathBuf>, names: &[&str]) -> Vec<PathBuf> {
    let names = file_names(names);
    let files = folders
        .iter()
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    files.filter(|path| path.exists()).collect()
}

fn toolkits() -> Vec<PathBuf> {
    let named = ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CONDA_PREFIX"]
        .iter()
        .filter_map(env::var_os)
        .map(PathBuf::from);
    let usual = ["/usr/local/cuda", "/opt/cuda"].map(PathBuf::from);
    let roots: Vec<PathBuf> = named.chain(usual).collect();
    let mut folders: Vec<PathBuf> = roots
        .iter()
        .flat_map(|root| {
            ["lib64", "lib", "targets/x86_64-linux/lib", "bin"].map(|folder| root.join(folder))
        })
        .collect();
    folders.extend(
        [
            "/usr/lib/wsl/lib",
            "/usr/local/nvidia/lib64",
            "/run/opengl-driver/lib",
        ]
        .map(PathBuf::from),
    );
    folders
}

/// Folders with libraries of NVIDIA's packages in a folder of Python packages: `nvidia/cu13/lib`, `nvidia/cublas/lib`.
fn packages(site: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(site.join("nvidia")) else {
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path().join("lib"))
        .filter(|lib| lib.is_dir())
        .collect();
    folders.sort();
    // The newest version first: `cu13` before `cublas` and the others of CUDA 12.
    folders.sort_by_key(|lib| !lib.parent().is_some_and(|parent| parent.ends_with("cu13")));
    folders
}

fn environments() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for root in ["VIRTUAL_ENV", "CONDA_PREFIX"]
        .iter()
        .filter_map(env::var_os)
        .map(PathBuf::from)
    {
        folders.extend(packages(&root.join("Lib").join("site-packages")));
        let Ok(versions) = std::fs::read_dir(root.join("lib")) else {
            continue;
        };
        for version in versions
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.join("site-packages").is_dir())
        {
            folders.extend(packages(&version.join("site-packages")));
        }
    }
    folders
}

fn python() -> Vec<PathBuf> {
    let question = "import site,sysconfig\nfor p in {sysconfig.get_paths()['purelib'],site.getusersitepackages()}: print(p)";
    let answer = ["python3", "python"].iter().find_map(|python| {
        let output = Command::new(python)
            .args(["-c", question])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        output.ok().filter(|output| output.status.success())
    });
    let text = answer
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default();
    text.lines()
        .flat_map(|line| packages(Path::new(line.trim())))
        .collect()
}

/// Files beside a library whose names begin like this.
pub(super) fn beside(path: &Path, names: &[&str]) -> Vec<PathBuf> {
    let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    else {
        return Vec::new();
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let begins = |path: &Path, name: &str| {
        let stem = format!(
            "{}{name}{}",
            env::consts::DLL_PREFIX,
            env::consts::DLL_SUFFIX
        );
        path.file_name()
            .and_then(|file| file.to_str())
            .is_some_and(|file| file.starts_with(&stem))
    };
    names
        .iter()
        .filter_map(|name| files.iter().find(|path| begins(path, name)).cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_python() {
        let root = env::temp_dir().join(format!("differentiable-find-{}", std::process::id()));
        for name in ["cublas", "cu13", "cuda_nvrtc"] {
            std::fs::create_dir_all(root.join("nvidia").join(name).join("lib")).unwrap();
        }
        let lib = root.join("nvidia/cu13/lib");
        std::fs::write(lib.join("libnvrtc.so.13"), "").unwrap();
        std::fs::write(lib.join("libnvrtc-builtins.so.13.5"), "").unwrap();
        assert_eq!(packages(&root)[0], lib);
        assert_eq!(
            in_folders(packages(&root), &["nvrtc"]),
            [lib.join("libnvrtc.so.13")]
        );
        assert_eq!(
            beside(&lib.join("libnvrtc.so.13"), &["nvrtc-builtins"]),
            [lib.join("libnvrtc-builtins.so.13.5")]
        );
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn given_places_are_the_only_ones() {
        let given = [PathBuf::from("/nowhere")];
        assert!(candidates(Places::System, Some(&given), &["cuda"]).is_empty());
        assert_eq!(
            candidates(Places::Given, Some(&given), &["cuda"])[0],
            Path::new("/nowhere/libcuda.so.1")
        );
    }
}
