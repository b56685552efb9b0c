import { readFile } from 'node:fs/promises'
import type { ReadOutcome } from '../../core/outside/receipt-reader.ts'
import { refuseNetwork } from './no-network.ts'
import { isSettled, picturesOf } from './pictures.ts'
import { readDocument } from './read-document.ts'
import { type ChildAnswer, type ChildRequest, type FileRequest, type OfflineOutcome, unread } from './reader-process.ts'
import { Unreadable } from './reading.ts'

// The program of the reader's process: reads one file after the other, as it is asked.

refuseNetwork()
process.on('disconnect', () => process.exit()) // the program that asked is gone
process.on('message', async ({ id, ...request }: ChildRequest) => {
  const answer: ChildAnswer = { id, outcome: await outcomeOf(request) }
  process.send?.(answer)
})

async function outcomeOf({ withPictures, ...request }: FileRequest): Promise<OfflineOutcome> {
  const outcome = await read(request)
  if (!withPictures || isSettled(outcome)) return outcome
  const turned = 'reading' in outcome ? outcome.reading.turned : []
  const pictures = await picturesOf(await readFile(request.path), request.contentType, turned).catch(() => [])
  return { ...outcome, pictures }
}

async function read({ path, contentType, hints }: FileRequest): Promise<ReadOutcome> {
  try {
    return { reading: await readDocument(await readFile(path), contentType, hints) }
  } catch (error) {
    if (error instanceof Unreadable) return unread(error.reason, error.message)
    return unread('DAMAGED')
  }
}
