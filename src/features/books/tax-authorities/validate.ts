import type { Database, Outside } from '../../../core/define/operation.ts'
import { timeLimit } from '../../../core/values/time-limit.ts'
import type { Integration } from '../../../countries/integration.ts'
import { accessToken } from './access-token.ts'
import { type Connection, noteValidation } from './connection.ts'
import { handlerOf, missingFields, wrongFields } from './integrations.ts'

type Validation = {
  valid: boolean
  error: string | null
  details: Record<string, unknown> | null
  /** Notes the outcome on the connection. An authority that cannot be reached says nothing about the credentials. */
  note(db: Database, connectionId: string): Promise<unknown>
}

type ValidateContext = Pick<Outside, 'tx' | 'secrets' | 'taxAuthorities' | 'clearanceHandlers'> & {
  organizationId: string
}

const nothing = async () => undefined
const wrong = (error: string, details: Validation['details'] = null): Validation => ({
  valid: false,
  error,
  details,
  note: (db, id) => noteValidation(db, id, error),
})

/** Checks what was entered: first that nothing is missing or cannot be right, then with a request to the authority. */
export async function validateConnection(
  context: ValidateContext,
  integration: Integration,
  connection: Connection | undefined,
): Promise<Validation> {
  if (!connection) return { ...wrong('No credentials were entered.'), note: nothing }
  const missing = missingFields(integration, connection.credentials)
  if (missing.length > 0)
    return wrong(`These fields are missing: ${missing.map(({ label }) => label).join(', ')}.`, {
      missing: missing.map(({ name }) => name),
    })
  const unfit = wrongFields(integration, connection.credentials)
  if (unfit.length > 0)
    return wrong(unfit.map(({ sentence }) => sentence).join(' '), { wrong: unfit.map(({ name }) => name) })
  return requestTokens(context, integration, connection)
}

/** A new access token: the authority checks the client and the authorization of the person. */
async function requestTokens(
  context: ValidateContext,
  { integrationId }: Integration,
  connection: Connection,
): Promise<Validation> {
  const { environment } = connection
  const { taxAuthorities, clearanceHandlers } = context
  const handler = handlerOf(clearanceHandlers, integrationId)
  const signal = timeLimit(validateMs)
  const answer = await accessToken(
    { ...context, requestTokens: handler.requestTokens(taxAuthorities), signal, isRenewed: true },
    connection,
  )
  const simulatorUrl = await handler.simulatorUrl(taxAuthorities, environment)
  const simulator = simulatorUrl !== undefined
  const details = { environment, simulator, ...(simulator && { simulatorUrl }) }
  if (answer.kind === 'token')
    return { valid: true, error: null, details, note: (db, id) => noteValidation(db, id, null) }
  if (answer.kind === 'refused') return wrong(answer.message, details)
  return { valid: false, error: answer.message, details, note: nothing }
}

const validateMs = 25_000
