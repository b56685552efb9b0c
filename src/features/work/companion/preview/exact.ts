import { access } from './access.ts'
import { issuing } from './issuing.ts'
import { mails } from './mails.ts'
import { payroll } from './payroll.ts'
import { received } from './received.ts'
import { settings } from './settings.ts'
import { spent } from './spent.ts'
import type { Tell } from './told.ts'

/** The operations with a preview of their own; the others say what is said of every call. */
export const exact: Readonly<Record<string, Tell>> = {
  ...mails,
  ...received,
  ...spent,
  ...issuing,
  ...payroll,
  ...access,
  ...settings,
}
