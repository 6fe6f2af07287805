import { inflateRawSync } from 'node:zlib'

/** The files of a ZIP archive, by path, as text: read by its central directory, as programs do. */
export function unzipped(bytes: Uint8Array): Map<string, string> {
  const archive = Buffer.from(bytes)
  const end = archive.lastIndexOf('PK\u0005\u0006')
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)]
    const start = archive.readUInt32LE(at + 42)
    const content = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
    const packed = archive.subarray(content, content + size)
    const isDeflated = archive.readUInt16LE(at + 10) === 8
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    files.set(name, (isDeflated ? inflateRawSync(packed) : packed).toString())
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}
