import { readFile } from 'node:fs/promises'
import type { DrawOutcome, ReadOutcome } from '../../core/outside/receipt-reader.ts'
import { readMail } from './mail/read-mail.ts'
import { refuseNetwork } from './no-network.ts'
import { pageOf, picturesOf } from './pictures.ts'
import { readDocument } from './read-document.ts'
import { type ChildAnswer, type ChildRequest, type FileRequest, type PageRequest, unread } from './reader-process.ts'
import { Unreadable } from './reading.ts'
import { isSettled } from './second/settled.ts'

// The program of the reader's process: reads one file or mail message after the other, as it is asked.

refuseNetwork()
process.on('disconnect', () => process.exit()) // the program that asked is gone
process.on('message', async ({ id, ...asked }: ChildRequest) => {
  const answer = (answer: Omit<ChildAnswer, 'id'>) => process.send?.({ id, ...answer } satisfies ChildAnswer)
  if ('folder' in asked) return void answer({ outcome: await readMail(asked), picturesFollow: false })
  if ('dotsPerInch' in asked) return void answer({ outcome: await drawPage(asked), picturesFollow: false })
  const { withPictures = false, ...request } = asked
  const outcome = await read(request)
  const picturesFollow = withPictures && !isSettled(outcome)
  answer({ outcome, picturesFollow })
  if (picturesFollow) answer({ outcome: { ...outcome, pictures: await draw(request, outcome) }, picturesFollow: false })
})

async function draw({ path, contentType }: FileRequest, outcome: ReadOutcome): Promise<Uint8Array[]> {
  const turned = 'reading' in outcome ? outcome.reading.turned : []
  try {
    return await picturesOf(await readFile(path), contentType, turned)
  } catch {
    return []
  }
}

async function read({ path, contentType, hints }: FileRequest): Promise<ReadOutcome> {
  try {
    return { reading: await readDocument(await readFile(path), contentType, hints) }
  } catch (error) {
    return toUnread(error)
  }
}

async function drawPage({ path, ...asked }: PageRequest): Promise<DrawOutcome> {
  try {
    return await pageOf(await readFile(path), asked)
  } catch (error) {
    return toUnread(error)
  }
}

const toUnread = (error: unknown) =>
  error instanceof Unreadable ? unread(error.reason, error.message) : unread('DAMAGED')
