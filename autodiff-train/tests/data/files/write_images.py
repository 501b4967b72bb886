"""Writes the images beside it, and images.json: what Pillow reads from them, as red, green and blue, as grey, and resized.

pip install pillow numpy; python write_images.py
"""

import json
from pathlib import Path

import numpy as np
from PIL import Image

here = Path(__file__).parent
rng = np.random.default_rng(1)


def smooth(h, w, c):
    """Colours that change slowly, so that JPEG and resizing keep them."""
    y, x = np.mgrid[0:h, 0:w]
    waves = [np.sin(0.3 * (i + 1) * x + 0.2 * y + i) for i in range(c)]
    return np.stack([(127 + 100 * wave).astype(np.uint8) for wave in waves], -1)


def save(image, name, **options):
    path = here / "images" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, **options)


save(Image.fromarray(smooth(8, 8, 3)), "circle/0.png")
save(Image.fromarray(rng.integers(0, 256, (8, 8), dtype=np.uint8)), "circle/1.png")  # grey
save(Image.fromarray(rng.integers(0, 65536, (8, 8), dtype=np.uint16)), "circle/2.png")  # grey, 16 bits
rgba = np.dstack([smooth(8, 8, 3), rng.integers(0, 256, (8, 8), dtype=np.uint8)])
save(Image.fromarray(rgba), "circle/3.PNG")
save(Image.fromarray(smooth(12, 20, 3)), "square/0.jpg", quality=90, subsampling=0)
save(Image.fromarray(smooth(20, 12, 1)[:, :, 0]), "square/1.jpeg", quality=90)  # grey
save(Image.fromarray(smooth(5, 6, 3)).quantize(16), "square/10.png")  # a palette
save(Image.fromarray(smooth(8, 8, 3)), "square/2.jpg", quality=90, subsampling=0, progressive=True)

expected = {}
for path in sorted((here / "images").rglob("*.*")):
    image = Image.open(path)
    name = str(path.relative_to(here / "images"))
    if image.mode.startswith("I"):
        # Pillow has no conversion of 16 bits that keeps them.
        grey = np.asarray(image).astype(np.float64) / 65535
        expected[name] = {"size": [image.height, image.width], "grey": grey.ravel().tolist()}
        continue
    rgb = image.convert("RGB")
    floats = [Image.fromarray(np.asarray(rgb)[:, :, c].astype(np.float32)) for c in range(3)]
    resized = [np.asarray(f.resize((8, 8), Image.Resampling.BILINEAR)) / 255 for f in floats]
    weights = [1.0] if image.mode == "L" else [0.299, 0.587, 0.114]
    planes = [np.asarray(rgb)[:, :, c] / 255 for c in range(3)]
    expected[name] = {
        "size": [image.height, image.width],
        "rgb": np.stack(planes).ravel().tolist(),
        "grey": sum(w * p for w, p in zip(weights, planes)).ravel().tolist(),
        "resized": np.stack(resized).ravel().tolist(),
    }
rounded = json.dumps(expected)
expected = json.loads(rounded, parse_float=lambda x: round(float(x), 6))
(here / "images.json").write_text(json.dumps(expected) + "\n")
