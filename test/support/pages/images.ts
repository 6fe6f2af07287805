/** The first bytes of a picture of that size, which is all that says so. */
export const pictures = {
  png(width: number, height: number): Uint8Array {
    const bytes = Buffer.alloc(33)
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    bytes.writeUInt32BE(13, 8)
    bytes.write('IHDR', 12)
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    bytes.set([8, 6, 0, 0, 0], 24)
    return new Uint8Array(bytes)
  },
  gif(width: number, height: number): Uint8Array {
    const bytes = Buffer.alloc(20)
    bytes.write('GIF89a')
    bytes.writeUInt16LE(width, 6)
    bytes.writeUInt16LE(height, 8)
    return new Uint8Array(bytes)
  },
  /** Start of image, application segment, start of frame. */
  jpeg(width: number, height: number): Uint8Array {
    const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 34, 0])
    const app = [0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]
    return Uint8Array.from([0xff, 0xd8, ...app, ...frame, 2, 17, 1, 3, 17, 1, 0xff, 0xd9])
  },
  webp(width: number, height: number): Uint8Array {
    const bytes = Buffer.alloc(30)
    bytes.write('RIFF')
    bytes.writeUInt32LE(22, 4)
    bytes.write('WEBPVP8X', 8)
    bytes.writeUInt32LE(10, 16)
    bytes.writeUIntLE(width - 1, 24, 3)
    bytes.writeUIntLE(height - 1, 27, 3)
    return new Uint8Array(bytes)
  },
}
