import type { Job } from './core/job.ts'
import { type Subscriber, telling } from './core/subscriber.ts'
import { sendMail } from './features/mail/send-mail.ts'
import { accountMail } from './features/people/account-mail.ts'
import { prune } from './worker/prune.ts'

/** Who inside the product is told of events. */
export const subscribers: readonly Subscriber[] = []

/** Everything a worker can be told to do. */
export const jobs: readonly Job[] = [prune, sendMail, accountMail, ...subscribers.map(telling)]

/** What is done by the clock: minute hour day month weekday job. */
export const crontab = '17 * * * * prune ?fill=1h&id=prune'
