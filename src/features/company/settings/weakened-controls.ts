import type { Database } from '../../../core/define/operation.ts'
import type { Control } from '../notifications/notification.ts'
import { notify } from '../notifications/notify.ts'
import { nextNumberText } from './numbering.ts'
import type { Settings } from './settings.ts'

type Weakened = { control: Control; from: string | null; to: string | null }

/** The rules that a change of the settings has weakened; the database lets owners alone do that. */
export function weakenedControls(before: Settings, after: Settings): Weakened[] {
  const limit = ({ expenseApprovalAbove }: Settings) => expenseApprovalAbove ?? 0
  const lock = ({ lockedUntil }: Settings) => lockedUntil ?? ''
  const weakened: Weakened[] = []
  if (before.requireApproval && !after.requireApproval) weakened.push({ control: 'APPROVAL', from: null, to: null })
  else if (before.requireApproval && limit(after) > limit(before))
    weakened.push({ control: 'APPROVAL_LIMIT', from: `${limit(before)}`, to: `${limit(after)}` })
  if (lock(after) < lock(before))
    weakened.push({ control: 'PERIOD_LOCK', from: before.lockedUntil, to: after.lockedUntil })
  return [...weakened, ...changedFormats(before, after)]
}

/** Formats of types whose numbers were given already; one that has issued nothing may still be set up by a manager. */
const changedFormats = (before: Settings, after: Settings): Weakened[] =>
  after.numbering.flatMap(({ documentType, nextNumber }) => {
    const [from, to] = [before, after].map(({ numbering }) => nextNumberText(numbering, documentType))
    if (from === undefined || to === undefined || nextNumber === 1 || from === to) return []
    return [{ control: 'NUMBERING' as const, from, to }]
  })

/** Tells the other owners. */
export async function tellOwners(db: Database, weakened: readonly Weakened[], except: string): Promise<void> {
  for (const data of weakened) await notify(db, { kind: 'CONTROL_WEAKENED', to: 'OWNERS', except, data })
}
