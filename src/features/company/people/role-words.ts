import type { Role } from '../../../core/define/access.ts'
import type { Language } from '../../../core/values/language.ts'

/** Roles as people call them in e-mails and notifications. */
export const roleWords: Record<Language, Record<Role, string>> = {
  en: { EMPLOYEE: 'an employee', VIEWER: 'a viewer', CONTRIBUTOR: 'a contributor', MANAGER: 'a manager', OWNER: 'an owner' },
  he: { EMPLOYEE: 'עובד', VIEWER: 'צופה', CONTRIBUTOR: 'עורך', MANAGER: 'מנהל', OWNER: 'בעלים' },
} // biome-ignore format: a table
