use thiserror::Error;

/// A picture for a log: rows of pixels from the top, bytes from 0 to 255.
///
/// ```
/// use differentiable::train::log::Image;
///
/// // A ramp from black to white.
/// let image = Image::grey(4, 1, &[0.0, 0.25, 0.5, 1.0])?;
/// assert_eq!(image.pixels(), [0, 64, 128, 255]);
/// # Ok::<(), differentiable::train::log::ImageError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    channels: u8,
    pixels: Vec<u8>,
}

/// The numbers are not those of a picture of the size.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{found} numbers for a picture of {width}×{height} pixels with {channels} channels, expected {expected}"
)]
pub struct ImageError {
    width: u32,
    height: u32,
    channels: u8,
    expected: u64,
    found: usize,
}

impl Image {
    /// Shades of grey from numbers between 0, black, and 1, white; what is outside is black or white, NaN is black.
    ///
    /// # Errors
    /// If there are not `width · height` numbers.
    pub fn grey(width: u32, height: u32, values: &[f32]) -> Result<Self, ImageError> {
        let bytes = values.iter().map(|v| (v * 255.0).round() as u8).collect();
        Self::of(width, height, 1, bytes)
    }

    /// Colours: red, green and blue of each pixel.
    ///
    /// # Errors
    /// If there are not `3 · width · height` bytes.
    pub fn rgb(width: u32, height: u32, pixels: Vec<u8>) -> Result<Self, ImageError> {
        Self::of(width, height, 3, pixels)
    }

    fn of(width: u32, height: u32, channels: u8, pixels: Vec<u8>) -> Result<Self, ImageError> {
        let expected = u64::from(width) * u64::from(height) * u64::from(channels);
        let image = Image {
            width,
            height,
            channels,
            pixels,
        };
        match image.pixels.len() as u64 == expected && expected > 0 {
            true => Ok(image),
            false => Err(ImageError {
                width,
                height,
                channels,
                expected: expected.max(1),
                found: image.pixels.len(),
            }),
        }
    }

    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Bytes of a pixel: 1 for grey, 3 for red, green and blue.
    pub fn channels(&self) -> u8 {
        self.channels
    }

    /// The bytes, row after row.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The bytes of a PNG file.
    pub(super) fn png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(match self.channels {
            1 => png::ColorType::Grayscale,
            _ => png::ColorType::Rgb,
        });
        let written = encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(&self.pixels));
        written.expect("the size was checked, and a vector takes all bytes");
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_checked_and_png_decodes() {
        let error = Image::rgb(2, 2, vec![0; 11]).unwrap_err();
        let said = "11 numbers for a picture of 2×2 pixels with 3 channels, expected 12";
        assert_eq!(error.to_string(), said);
        assert!(Image::grey(0, 2, &[]).is_err());
        let image = Image::rgb(2, 1, vec![1, 2, 3, 4, 5, 6]).unwrap();
        let bytes = image.png();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; 6];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, image.pixels());
        let edges = Image::grey(3, 1, &[-1.0, f32::NAN, 9.0]).unwrap();
        assert_eq!(edges.pixels(), [0, 0, 255]);
    }
}
