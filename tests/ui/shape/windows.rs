//! Convolutions of other channels, windows larger than what they slide over.
use differentiable::prelude::*;

fn convolutions(line: Tensor![2, 3, 8], image: Tensor![2, 3, 8, 8], volume: Tensor![2, 3, 4, 4, 4]) {
    let _ = line.conv1d(&Tensor::<shape![5, 4, 3]>::zeros(), Win::new());
    let _ = volume.conv3d(&Tensor::<shape![5, 4, 3, 3, 3]>::zeros(), Win::new());
    let _ = line.conv1d_grouped(&Tensor::<shape![6, 2, 3]>::zeros(), Win::new(), Groups::<3>);
    let _ = image.conv2d_grouped(&Tensor::<shape![6, 2, 3, 3]>::zeros(), Win::new(), Groups::<3>);
    let _ = volume.conv3d_grouped(&Tensor::<shape![6, 2, 3, 3, 3]>::zeros(), Win::new(), Groups::<3>);
    let _ = line.conv_transpose1d(&Tensor::<shape![4, 5, 3]>::zeros(), Win::new());
    let _ = image.conv_transpose2d(&Tensor::<shape![4, 5, 3, 3]>::zeros(), Win::new());
    let _ = volume.conv_transpose3d(&Tensor::<shape![4, 5, 3, 3, 3]>::zeros(), Win::new());
}

fn pools(line: Tensor![2, 3, 8], image: Tensor![2, 3, 8, 8], volume: Tensor![2, 3, 4, 4, 4]) {
    let _ = line.max_pool1d::<9, _>(Win::new());
    let _ = line.avg_pool1d::<9, _>(Win::new());
    let _ = image.max_pool2d::<9, 9, _>(Win::new());
    let _ = image.avg_pool2d::<9, 9, _>(Win::new());
    let _ = volume.max_pool3d::<5, 5, 5, _>(Win::new());
    let _ = volume.avg_pool3d::<5, 5, 5, _>(Win::new());
    let _ = line.adaptive_max_pool2d::<2, 2>();
    let _ = line.adaptive_avg_pool2d::<2, 2>();
    let _ = image.unfold2d::<9, 9, _>(Win::new());
}

fn main() {}
