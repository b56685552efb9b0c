// The wire format of Protocol Buffers, in which ONNX files are written: a message is a list of numbered fields.

/** A field of a message: a number, or bytes (a text, a message, packed numbers, a number of fixed length). */
export type Field = { no: number } & (
  | { wire: typeof wires.number; value: bigint }
  | { wire: (typeof wires)['bytes' | 'fixed32' | 'fixed64']; value: Uint8Array }
)

export const wires = { number: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const

/** The fields of a message, in their order. */
export function readFields(message: Uint8Array): Field[] {
  const fields: Field[] = []
  const at = { position: 0 }
  const take = (length: number) => {
    at.position += length
    return message.subarray(at.position - length, at.position)
  }
  while (at.position < message.length) {
    const key = Number(readNumber(message, at))
    const [no, wire] = [key >> 3, key & 7]
    if (wire === wires.number) fields.push({ no, wire, value: readNumber(message, at) })
    else if (wire === wires.bytes) fields.push({ no, wire, value: take(Number(readNumber(message, at))) })
    else if (wire === wires.fixed32) fields.push({ no, wire, value: take(4) })
    else if (wire === wires.fixed64) fields.push({ no, wire, value: take(8) })
    else throw new Error(`A message has a field of the unknown kind ${wire}.`)
  }
  return fields
}

function readNumber(bytes: Uint8Array, at: { position: number }): bigint {
  for (let [number, shift] = [0n, 0n]; ; shift += 7n) {
    const byte = bytes[at.position++]
    if (byte === undefined) throw new Error('A message ends inside a number.')
    number |= BigInt(byte & 127) << shift
    if (byte < 128) return number
  }
}

/** The numbers of a packed field. */
export function readNumbers(packed: Uint8Array): bigint[] {
  const numbers: bigint[] = []
  for (const at = { position: 0 }; at.position < packed.length; ) numbers.push(readNumber(packed, at))
  return numbers
}

export function writeFields(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap((field) => {
      const key = writeNumber(BigInt((field.no << 3) | field.wire))
      if (field.wire === wires.number) return [key, writeNumber(field.value)]
      if (field.wire === wires.bytes) return [key, writeNumber(BigInt(field.value.length)), field.value]
      return [key, field.value]
    }),
  )
}

function writeNumber(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    if (rest < 128n) return Uint8Array.from([...bytes, Number(rest)])
    bytes.push(Number(rest & 127n) | 128)
  }
}

export const numberField = (no: number, value: number | bigint): Field => ({
  no,
  wire: wires.number,
  value: BigInt(value),
})
export const bytesField = (no: number, value: Uint8Array): Field => ({ no, wire: wires.bytes, value })
export const textField = (no: number, text: string): Field => bytesField(no, Buffer.from(text))
