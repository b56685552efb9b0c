import { onTestFinished } from 'vitest'
import { theApp } from './world.ts'

/** Counts the statements that a piece of work sends over connections of requests, the second time that it is done. */
export function statementCounter(): (work: () => Promise<unknown>) => Promise<number> {
  const { confined } = theApp()
  const connections = new Set<{ sent: { statements: number } }>()
  const { borrow } = confined
  onTestFinished(() => void Object.assign(confined, { borrow }))
  confined.borrow = async () => {
    const lent = await borrow()
    connections.add(lent.connection)
    return lent
  }
  const sent = () => [...connections].reduce((sum, { sent: { statements } }) => sum + statements, 0)
  return async (work) => {
    await work() // by now every connection has been borrowed
    const before = sent()
    await work()
    return sent() - before
  }
}
