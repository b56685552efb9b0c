type TnefFile = { name: string; longName?: string; bytes: Buffer }

/** An Outlook file (winmail.dat) with these files. */
export const tnefFile = (files: readonly TnefFile[]): Buffer =>
  Buffer.concat([
    u32(0x223e9f78),
    u16(1),
    attribute(1, 0x89006, u32(0x10000)),
    ...files.flatMap(({ name, longName, bytes }) => [
      attribute(2, 0x69002, Buffer.alloc(14)),
      attribute(2, 0x18010, Buffer.from(`${name}\0`)),
      attribute(2, 0x6800f, bytes),
      ...(longName === undefined ? [] : [attribute(2, 0x69005, named(longName))]),
    ]),
  ])

/** A list of two properties: a number, and the long name of the file. */
function named(longName: string): Buffer {
  const name = Buffer.from(`${longName}\0`, 'utf16le')
  const end = Buffer.alloc((4 - (name.length % 4)) % 4)
  return Buffer.concat([
    u32(2),
    u16(3),
    u16(0x3705),
    u32(1),
    u16(0x1f),
    u16(0x3707),
    u32(1),
    u32(name.length),
    name,
    end,
  ])
}

function attribute(level: number, id: number, content: Buffer): Buffer {
  const sum = content.reduce((total, byte) => (total + byte) & 0xffff, 0)
  return Buffer.concat([Buffer.from([level]), u32(id), u32(content.length), content, u16(sum)])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
