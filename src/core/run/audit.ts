import type { SendStatement } from '../../db/wire/connection.ts'
import type { CallerSource } from '../define/access.ts'
import { newId } from '../values/id.ts'

/** One row of the audit log: who did what, from where and in which request. It never holds a secret (INV-19, INV-20). */
export type AuditEntry = {
  /** The name of the operation, or of what happened: `auth.password_changed`, `egress.refused`. */
  operation: string
  /** SYSTEM for actions without a caller. */
  source: CallerSource | 'SYSTEM'
  requestId: string
  /** The organization and the person of the transaction, unless given. */
  organizationId?: string | null | undefined
  userId?: string | null | undefined
  keyId?: string | null | undefined
  sessionId?: string | null | undefined
  /** The app that acted in the person's name. */
  clientId?: string | null | undefined
  /** The run of an automation, and that automation: runs are deleted after a while. */
  runId?: string | undefined
  automationId?: string | undefined
  turnId?: string | undefined
  objectId?: string | null | undefined
  detail?: object | null | undefined
}

/** The organization and the person of the transaction are looked up only where they are not given. */
const insertText = (organizationId: string, userId: string) =>
  `insert into audit_log (id, organization_id, user_id, source, api_key_id, session_id, client_id, run_id,
    turn_id, automation_id, request_id, operation, object_id, detail)
  values ($1, ${organizationId}, ${userId}, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`
const insertGiven = insertText('$2', '$3')
const insertFound = insertText('coalesce($2::uuid, current_organization())', 'coalesce($3::uuid, current_person())')

/** Writes a row of the audit log, in the transaction of what it is about. All code that audits something calls this. */
export const insertAudit = (send: SendStatement, entry: AuditEntry) =>
  send(entry.organizationId && entry.userId ? insertGiven : insertFound, [
    newId(),
    entry.organizationId,
    entry.userId,
    entry.source,
    entry.keyId,
    entry.sessionId,
    entry.clientId,
    entry.runId,
    entry.turnId,
    entry.automationId,
    entry.requestId,
    entry.operation,
    entry.objectId,
    entry.detail,
  ])
