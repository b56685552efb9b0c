import { isRead, type Name } from '../../../api.ts'
import { lazily } from '../../../ui/lazily.tsx'
import type { Row } from '../../../ui/values/values.tsx'
import type { ActProps } from './act-dialog.tsx'

const FormDialog = lazily(() => import('./act-dialog.tsx'), 'ActDialog')
const AnswerDialog = lazily(() => import('./answer-dialog.tsx'), 'AnswerDialog')

/** What an operation asks for and answers. It is loaded when somebody opens one: a list needs none of its fields. */
export const ActDialog = ({ name, title, known, onClose, ...props }: ActProps) =>
  isRead(name) ? (
    <AnswerDialog name={name} known={known} onClose={onClose} {...(title && { title })} />
  ) : (
    <FormDialog {...props} name={name} known={known} onClose={onClose} {...(title && { title })} />
  )

/** What an operation answers about a record, as a part of it. */
export const Answer = lazily<typeof import('./answer-dialog.tsx'), 'Answer'>(
  () => import('./answer-dialog.tsx'),
  'Answer',
)

/** What an act takes from its record without asking. */
export const knownOf = (
  knows: Partial<Record<Name, (record: Row, organizationId: string) => Row>> | undefined,
  name: Name,
  { id, record, org }: { id: string; record: Row; org: string },
): Row => knows?.[name]?.(record, org) ?? { id }
