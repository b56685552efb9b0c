import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { refuseNetwork } from '../no-network.ts'
import { lineColours, lineNetwork, loadNetwork, modelFolder, planes } from './network.ts'
import { lineRanges } from './networks/line-ranges.ts'
import { decode } from './recognized.ts'
import type { LineRequest, LineResult } from './recognizer.ts'

// A thread that reads the pictures of lines, one after the other. ONNX Runtime keeps the thread that calls it until it is done,
// so lines are read at the same time only by several threads.

refuseNetwork()
const network = loadNetwork(lineNetwork, { threads: 1, ranges: lineRanges })
const keys = [...readFileSync(join(modelFolder(), 'ppocr_keys_v1.txt'), 'utf8').split('\n'), ' ']

parentPort?.on('message', async ({ id, line: { data, width, height } }: LineRequest) => {
  const run = await network
  if (!run) throw new Error('ONNX Runtime has no build for this platform.')
  const output = await run(planes(data, width, height, lineColours), height, width)
  const [, steps = 1, classes = 1] = output.dims
  const characters = decode(output.data as Float32Array, classes, keys, width / steps)
  parentPort?.postMessage({ id, characters } satisfies LineResult)
})
