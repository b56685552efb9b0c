import { expect, test } from 'vitest'
import { detectorNetwork, lineNetwork, openModel } from '../network.ts'
import { onnxRuntime } from '../onnx-runtime.ts'
import { fold } from './fold.ts'
import { type Graph, parseOnnx, writeOnnx } from './onnx-file.ts'

const onnx = await onnxRuntime()

/** What a network returns for a picture with light and dark pixels, the same in every run. */
async function resultOf(network: Graph, height: number, width: number): Promise<Float32Array> {
  if (!onnx) throw new Error('ONNX Runtime has no build for this platform.')
  const session = await onnx.InferenceSession.create(writeOnnx(network), { logSeverityLevel: 3 })
  const pixels = Float32Array.from({ length: 3 * height * width }, (_, i) => Math.sin((i * i) % 977))
  const result = await session.run({ x: new onnx.Tensor('float32', pixels, [1, 3, height, width]) })
  return Object.values(result)[0]?.data as Float32Array
}

test.runIf(onnx).each([
  { file: lineNetwork, height: 48, width: 320, before: 440, after: 285 },
  { file: detectorNetwork, height: 160, width: 192, before: 330, after: 194 },
])('$file has fewer operations, which give the same numbers', async ({ file, height, width, before, after }) => {
  const [network, folded] = [openModel(file), fold(openModel(file))]
  expect([network, folded].map(({ operations }) => operations.length)).toEqual([before, after])
  const [given, now] = [await resultOf(network, height, width), await resultOf(folded, height, width)]
  expect(now.length).toBe(given.length)
  const difference = given.reduce((most, value, i) => Math.max(most, Math.abs(value - (now[i] ?? 9))), 0)
  expect(difference).toBeLessThan(1e-4)
})

test('a network that is written is read again as it was', () => {
  const network = openModel(lineNetwork)
  const again = parseOnnx(writeOnnx(network))
  expect(again.operations).toEqual(network.operations)
  expect([again.opset, again.modelFields, again.graphFields]).toEqual([
    network.opset,
    network.modelFields,
    network.graphFields,
  ])
  const used = new Set(network.operations.flatMap(({ inputs }) => inputs))
  const names = (constants: Graph['constants']) => [...constants.keys()].filter((name) => used.has(name)).sort()
  expect(names(again.constants)).toEqual(names(network.constants))
})

test('a file that is no network is refused', () => {
  expect(() => parseOnnx(Uint8Array.of(0x82))).toThrow('ends inside a number')
  expect(() => parseOnnx(Uint8Array.of(0b1011))).toThrow('unknown kind 3')
})
