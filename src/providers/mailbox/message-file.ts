import { open, rm } from 'node:fs/promises'

export type MessageTarget = { file: string; maxBytes: number }
export type Take = (piece: Buffer) => Promise<void>

/**
 * Writes a message to a new file while it arrives. Of a message that turns out to be larger than allowed the rest is only
 * counted. The file is removed unless the whole message is in it.
 */
export async function writeMessage(
  { file, maxBytes }: MessageTarget,
  receive: (take: Take) => Promise<void>,
): Promise<{ size: number; isFetched: boolean }> {
  const handle = await open(file, 'wx', 0o600)
  let size = 0
  let isFetched = false
  try {
    await receive(async (piece) => {
      size += piece.length
      if (size <= maxBytes) await handle.appendFile(piece)
    })
    isFetched = size <= maxBytes
    return { size, isFetched }
  } finally {
    await handle.close()
    if (!isFetched) await rm(file, { force: true })
  }
}

/** How many times as much as allowed a server may send of a message whose size it did not tell correctly. */
export const overrun = 4
