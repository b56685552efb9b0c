import { atLeast } from '../../../core/define/access.ts'
import { forbidden } from '../../../core/define/failure.ts'
import type { Member } from '../../../core/define/operation.ts'

/** Reopening a paid document needs the role MANAGER. */
export function requireReopening({ role }: Pick<Member, 'role'>, documents: readonly { status: string }[]) {
  if (documents.some(({ status }) => status === 'PAID') && !atLeast(role, 'MANAGER'))
    throw forbidden(`Reopening a paid document needs the role MANAGER; yours is ${role}.`, 'ROLE')
}
