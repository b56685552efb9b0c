import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'

const fileIn = (dataDir: string) => join(dataDir, 'server.json')

/**
 * Notes the address of this server in the data folder, so that `kontor mcp` finds it. Returns a function that removes the
 * note, unless another process has replaced it. A data folder that cannot be written has no note.
 */
export function noteAddress({ dataDir, url }: Pick<Config, 'dataDir' | 'url'>): () => void {
  const file = fileIn(dataDir)
  try {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(`${file}.${process.pid}`, `${JSON.stringify({ url, pid: process.pid })}\n`)
    renameSync(`${file}.${process.pid}`, file)
  } catch {
    return () => {}
  }
  return () => {
    if (readNote(dataDir)?.pid === process.pid) rmSync(file, { force: true })
  }
}

/** The noted address. The server may have been killed, so the caller must see whether it answers. */
export const notedAddress = (dataDir: string): string | undefined => readNote(dataDir)?.url

function readNote(dataDir: string): { url?: string; pid?: number } | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as { url?: string; pid?: number }
  } catch {
    return undefined
  }
}
