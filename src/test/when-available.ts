import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Calls again, as a client does, while no connection to the database becomes free in time: on a busy machine many calls at
 * once wait for longer than the product lets them. Such a call has changed nothing.
 */
export async function whenAvailable<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      if (tries === 20 || !isUnavailable(error)) throw error
    }
    await sleep(100)
  }
}

const isUnavailable = (error: unknown) => {
  const { details = [], message = '' } = error as { details?: { code?: string }[]; message?: string }
  return details[0]?.code === 'UNAVAILABLE' || message === 'timeout exceeded when trying to connect'
}
