import type { ReactNode } from 'react'
import type { Output } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { useLanguage, useWords, words } from '../../../words.ts'

export type Warning = NonNullable<Output<'automations_get'>['warnings']>[number]

const said = words(
  {
    onWith: 'It is on, but not everything will work',
    rights: 'What it may not do',
    others: 'What will not work',
    keep: 'Leave it on',
    off: 'Turn it off again',
  },
  {
    onWith: 'היא פעילה, אבל לא הכול יעבוד',
    rights: 'מה אסור לה לעשות',
    others: 'מה לא יעבוד',
    keep: 'להשאיר פעילה',
    off: 'לכבות שוב',
  },
)

const hebrew: Record<string, string> = {
  UNKNOWN_TRIGGER: 'אין אירוע כזה.', UNKNOWN_ACTION: 'אין פעולה כזו.', CUSTOM_BLOCK: 'רכיב מיוחד אינו ניתן לביצוע.',
  MISSING_SCOPE: 'המפתח שבו נשמרה אינו מאפשר זאת.', MISSING_ROLE: 'התפקיד של הבעלים או של מי ששמר אינו מאפשר זאת.',
  MISSING_SOURCE: 'אוטומציה אינה רשאית לבצע את הפעולה הזו.', NO_OWNER: 'הבעלים אינם חברים בארגון.', NO_AUTHOR: 'מי ששמר אינו חבר בארגון.',
  NO_CREDENTIAL: 'המפתח או היישום שבו נשמרה אינו תקף עוד.', FILTER: 'הסינון שגוי.', UNKNOWN_BINDING: 'לערך המקושר אין מקור.',
  UNKNOWN_FIELD: 'אין שדה כזה.', UNKNOWN_BLOCK: 'אין רכיב כזה.', NOT_UPSTREAM: 'הרכיב המקושר אינו רץ קודם.',
  NO_ITEM: 'שום קשת „לכל אחד” אינה מובילה לכאן.', NOT_A_BINDING: 'זה נראה כמו קישור, אבל הוא טקסט.',
  NOT_COMPARABLE: 'מספר או תאריך מושווה לטקסט.', MISSING_OPERAND: 'חסר ערך להשוואה.', MISSING_INPUT: 'חסר שדה חובה.',
  UNKNOWN_INPUT: 'לפעולה אין שדה כזה.', INVALID_INPUT: 'הפעולה תסרב לערך הזה.', UNFILLED_VALUE: 'ערך שעדיין לא מולא.',
  NOT_A_LIST: '„לכל אחד” אינו מוצא רשימה.', UNUSED_EACH: 'הרשימה שנבחרה אינה בשימוש.', UNREACHABLE: 'שום אירוע אינו מוביל לרכיב.',
  NEVER_FOLLOWED: 'התנאי לעולם לא יתקיים.', EDGE_TO_TRIGGER: 'לקשת אל אירוע אין השפעה.',
} // biome-ignore format: a list of words

/** The server's sentence, in Hebrew by its code. */
export const useWarningText = () => {
  const lang = useLanguage()
  return ({ code, message }: Pick<Warning, 'code' | 'message'>) => (lang === 'he' ? (hebrew[code] ?? message) : message)
}

const isRight = ({ code }: Warning) => code.startsWith('MISSING_S') || code === 'MISSING_ROLE' || code.startsWith('NO_')

export const WarningList = ({ of, title }: { of: readonly Warning[]; title?: ReactNode }) => {
  const textOf = useWarningText()
  return (
    <div role="note" className="grid gap-1 rounded-md bg-warn-wash text-warn px-3 py-2">
      {title && <p className="font-medium">{title}</p>}
      <ul className="grid gap-1">
        {of.map((warning, at) => (
          <li key={at} className="flex gap-2">
            <Icon name="alert" className="mt-0.5" />
            <bdi className="min-w-0 break-words">{textOf(warning)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

type EnabledProps = { warnings: readonly Warning[]; onClose: () => void; onOff: () => void }

/** After enabling: first what its owner may not do, then everything else that will not work. */
export function EnabledWithWarnings({ warnings, onClose, onOff }: EnabledProps) {
  const say = useWords(said)
  const [rights, others] = [warnings.filter(isRight), warnings.filter((each) => !isRight(each))]
  return (
    <Dialog
      title={say.onWith}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onOff}>{say.off}</Button>
          <Button look="primary" autoFocus onPress={onClose}>
            {say.keep}
          </Button>
        </>
      }
    >
      {rights.length > 0 && <WarningList title={say.rights} of={rights} />}
      {others.length > 0 && <WarningList title={say.others} of={others} />}
    </Dialog>
  )
}
