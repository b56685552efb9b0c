import type { SimulatedMailbox, SimulatedMessage } from '../../core/outside/simulated-mailbox.ts'
import { randomFor } from '../random.ts'
import { letters } from './letters.ts'
import { type Letter, writeLetter } from './mime.ts'

const dayMs = 24 * 3600 * 1000
/** How many days messages stay in the mailbox. */
const keptDays = 31

/** The simulated mailbox that the demo company Straits is connected to. */
export const receiptsMailbox: SimulatedMailbox = {
  address: 'receipts@straits-design.test',
  name: 'Straits Design Studio, receipts',
  password: 'demo-mailbox',
  messages: (now) => {
    const last = Math.floor(now.getTime() / dayMs)
    const days = Array.from({ length: keptDays + 1 }, (_, at) => last - keptDays + at)
    return days.map(messageOf).filter(({ receivedAt }) => receivedAt <= now && +receivedAt > +now - keptDays * dayMs)
  },
}

const emptyMailbox: SimulatedMailbox = {
  address: 'new@straits-design.test',
  name: 'Straits Design Studio, a new and empty mailbox',
  password: 'demo-mailbox',
  messages: () => [],
}

export const demoMailboxes: readonly SimulatedMailbox[] = [receiptsMailbox, emptyMailbox]

/** A message arrives every day, and depends on nothing but that day: days since 1970 are also its number in the mailbox. */
function messageOf(dayNumber: number): SimulatedMessage {
  const minutes = 60 + randomFor(`mailbox minute ${dayNumber}`).integer(0, 540) // between nine and six in Singapore
  const receivedAt = new Date(dayNumber * dayMs + minutes * 60_000)
  const messageId = `${dayNumber}@mail.straits-design.test`
  const { address } = receiptsMailbox
  return {
    uid: dayNumber,
    receivedAt,
    source: () => writeLetter(letterOf(dayNumber), { to: address, messageId, date: receivedAt }),
  }
}

function letterOf(dayNumber: number): Letter {
  const write = letters[dayNumber % letters.length]
  if (!write) throw new Error('The demo has no letters.')
  return write({
    day: new Date(dayNumber * dayMs).toISOString().slice(0, 10),
    serial: dayNumber,
    random: randomFor(`mailbox ${dayNumber}`),
    earlier: (days) => letterOf(dayNumber - days),
  })
}
