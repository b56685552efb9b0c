import { parentPort } from 'node:worker_threads'
import { type SheetValue, writeSheet } from './sheet.ts'
import type { ToThread } from './xlsx.ts'

// A thread that writes one file: it gets the rows in parts and answers with the bytes.

const rows: (readonly SheetValue[])[] = []

parentPort?.on('message', async (message: ToThread) => {
  if ('rows' in message) return void rows.push(...message.rows)
  const bytes = new Uint8Array(await writeSheet(message.sheet, rows)) // a copy, so that its buffer can be transferred
  parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer])
})
