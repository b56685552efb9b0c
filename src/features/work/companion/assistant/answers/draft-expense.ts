import { sameName } from '../../../../../core/names/names.ts'
import { lookUp } from '../lookup.ts'
import type { Steps, Talk } from '../talk.ts'
import type { Data } from './rows.ts'

/** "250 Ramon Print today" names a supplier and not what was bought, if there is a supplier of that name. */
export async function* completeExpense(talk: Talk, input: Data): Steps<Data> {
  const { title, ...rest } = input
  if (typeof title !== 'string' || input.vendor !== undefined) return input
  const found = yield* lookUp(talk, { $named: 'supplier', words: title }, { tool: 'expenses_create', input })
  return 'record' in found && sameName(found.record.name, title) ? { ...rest, vendor: found.record.name } : input
}
