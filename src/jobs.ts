import type { Job } from './core/job.ts'
import { type Subscriber, telling } from './core/subscriber.ts'
import { removeFile, sweepFiles } from './features/files/sweep.ts'
import { sendMail } from './features/mail/send-mail.ts'
import { prune } from './worker/prune.ts'

/** Who inside the product is told of events. */
export const subscribers: readonly Subscriber[] = []

/** Everything a worker can be told to do. */
export const jobs: readonly Job[] = [prune, sendMail, removeFile, sweepFiles, ...subscribers.map(telling)]

/** What is done by the clock: minute hour day month weekday job. */
export const crontab = `17 * * * * prune ?fill=1h&id=prune
47 * * * * sweep-files ?fill=1h&id=sweep-files`
