import type { Job } from '../core/define/job.ts'
import { type Subscriber, subscriberJob } from '../core/define/subscriber.ts'
import { fetchBoiRates } from '../features/books/exchange-rates/fetch/fetch-boi-rates.ts'
import { fetchMasRates } from '../features/books/exchange-rates/fetch/fetch-mas-rates.ts'
import { fetchRates } from '../features/books/exchange-rates/fetch/fetch-rates.ts'
import { startSummingUp, sumUpJournal } from '../features/books/reports/statements/sum-up-journal.ts'
import { clearDocument, requeueLostClearances } from '../features/books/tax-authorities/clearance/job.ts'
import { receiveEInvoices, startReceiving } from '../features/books/tax-authorities/receive/receive.ts'
import { pollMailbox, requeueLostPolls } from '../features/buying/mailboxes/poll/poll-mailbox.ts'
import { startDuePolls } from '../features/buying/mailboxes/poll/start-due-polls.ts'
import { requeueLostScans, scanBatchFile } from '../features/buying/scans/batches/scan-file.ts'
import { sendDigests } from '../features/company/notifications/send-digests.ts'
import { accountMail } from '../features/company/people/account-mail.ts'
import { sumUpLockedPeriod } from '../features/company/settings/sum-up-locked-period.ts'
import { recordOrderMailingJob } from '../features/goods/orders/sending/mailing.ts'
import { removeFile, sweepFiles } from '../features/platform/files/sweep.ts'
import { requeueLostMail, sendMail } from '../features/platform/mail/send-mail.ts'
import { emitOverdue, overdueSubscriber } from '../features/selling/documents/events/overdue.ts'
import { recordMailingOutcomeJob } from '../features/selling/documents/sending/mailing.ts'
import { plannedPaymentsSubscriber, recordDuePayments } from '../features/selling/payments/planned/record-due.ts'
import { endCredentials } from '../features/work/automations/end-credentials.ts'
import {
  requeueLostRuns,
  runAutomation,
  scheduleSubscriber,
} from '../features/work/automations/engine/run-automation.ts'
import { runTurn } from '../features/work/companion/run-turn.ts'
import { expireQuestions, requeueLostTurns } from '../features/work/companion/turns/run-turn.ts'
import { tickClock } from '../worker/clock.ts'
import { prune } from '../worker/prune.ts'

/** Subscribers to events. */
export const subscribers: readonly Subscriber[] = [overdueSubscriber, plannedPaymentsSubscriber, scheduleSubscriber]

/** All jobs. */
export const jobs: readonly Job[] = [
  prune,
  sendMail,
  requeueLostMail,
  recordMailingOutcomeJob,
  recordOrderMailingJob,
  accountMail,
  sendDigests,
  removeFile,
  sweepFiles,
  fetchRates,
  fetchBoiRates,
  fetchMasRates,
  emitOverdue,
  recordDuePayments,
  runAutomation,
  requeueLostRuns,
  endCredentials,
  scanBatchFile,
  requeueLostScans,
  pollMailbox,
  requeueLostPolls,
  startDuePolls,
  sumUpLockedPeriod,
  startSummingUp,
  sumUpJournal,
  clearDocument,
  requeueLostClearances,
  receiveEInvoices,
  startReceiving,
  runTurn,
  requeueLostTurns,
  expireQuestions,
  tickClock(subscribers),
  ...subscribers.filter(({ run }) => run).map(subscriberJob),
]

/** Jobs that run on a schedule: minute hour day month weekday job. tick-clock runs one at a time (queue=clock). */
export const crontab = `
  17 * * * * prune ?fill=1h&id=prune
  47 * * * * sweep-files ?fill=1h&id=sweep-files
  23 * * * * fetch-exchange-rates ?fill=1h&id=fetch-exchange-rates
  33 * * * * fetch-boi-rates ?fill=1h&id=fetch-boi-rates
  43 * * * * fetch-mas-rates ?fill=1h&id=fetch-mas-rates
  7 * * * * start-summing-up ?id=start-summing-up
  3 * * * * send-digests ?fill=1h&id=send-digests
  */10 * * * * recover-mail ?id=recover-mail
  5,15,25,35,45,55 * * * * recover-runs ?id=recover-runs
  2,12,22,32,42,52 * * * * recover-scans ?id=recover-scans
  * * * * * recover-polls ?id=recover-polls
  */10 * * * * start-due-polls ?id=start-due-polls
  8,18,28,38,48,58 * * * * recover-clearances ?id=recover-clearances
  4,14,24,34,44,54 * * * * start-receiving ?id=start-receiving
  */5 * * * * end-credentials ?id=end-credentials
  * * * * * recover-turns ?id=recover-turns
  * * * * * expire-questions ?id=expire-questions
  * * * * * tick-clock ?id=tick-clock&queue=clock
`
