import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { TableRequest } from '../../core/outside/table-reader.ts'
import { readRecords } from '../../core/tables/read-records.ts'
import { TableRefusal } from '../../core/tables/table.ts'
import type { Report } from './tables.ts'

// A thread that reads one file and ends. The main thread may end it before.

const { path, reading }: TableRequest = workerData

function read(): Report {
  try {
    return { records: readRecords(readFileSync(path), reading) }
  } catch (error) {
    if (!(error instanceof TableRefusal)) throw error
    return { refusal: { path: error.path, message: error.message, code: error.code } }
  }
}

parentPort?.postMessage(read())
