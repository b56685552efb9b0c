import { newId } from '../../core/values/id.ts'
import { type Someone, theApp } from '../world.ts'

/** A turn that a test works on, in place of an assistant. */
export type Speaker = {
  sessionId: string
  turnRunId: string
  say(...deltas: string[]): Promise<void>
  end(): Promise<void>
}

export const newSessionId = () => `s-${newId()}`

/** Starts a session and takes its turn. */
export async function speaker(amy: Someone, sessionId = newSessionId()): Promise<Speaker> {
  const organizationId = String(amy.organizationId)
  const { turnRunId } = await amy.call('companion_write_sessions', { organizationId, sessionId, text: 'Hello' })
  const lease = newId()
  const as = (text: string, values: unknown[]) => asPerson(amy, text, values)
  await as("update companion_turns set lease = $2, held_until = now() + interval '1 hour' where id = $1", [
    turnRunId,
    lease,
  ])
  return {
    sessionId,
    turnRunId,
    say: (...deltas) => as('select say_in_turn($1, $2, $3)', [turnRunId, lease, deltas]),
    end: () => as("select end_turn($1, 'SUCCEEDED', null, '', null, $2)", [turnRunId, newId()]),
  }
}

/** A statement as a job sends it: confined to the organization and the person. */
async function asPerson({ organizationId, userId }: Someone, text: string, values: unknown[]) {
  const client = await theApp().system.raw.connect()
  try {
    await client.query('begin')
    await client.query("select set_config('app.organization', $1, true), set_config('app.person', $2, true)", [
      organizationId,
      userId,
    ])
    await client.query(text, values)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
