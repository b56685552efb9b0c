import { lookUp } from '../lookup.ts'
import type { Steps, Talk } from '../talk.ts'
import type { Data } from './rows.ts'

/** The items of the catalogue that the lines of an order name; a line that names none keeps its words alone. */
export async function* completeOrder(talk: Talk, input: Data): Steps<Data> {
  const lines = Array.isArray(input.lines) ? (input.lines as Data[]) : []
  const completed: Data[] = []
  for (const line of lines) {
    const words = typeof line.description === 'string' ? line.description : ''
    const isOpen = line.itemId === undefined && words !== ''
    const found = isOpen ? yield* lookUp(talk, { $named: 'item', words }, { tool: 'orders_create', input }) : undefined
    const item = found && 'record' in found ? found.record : undefined
    completed.push(item ? { ...line, itemId: item.id, description: item.name } : line)
  }
  return { ...input, lines: completed }
}
