import { call, type Refused } from '../../../api.ts'
import { Money, shownDay, shownInstant } from '../../../shown.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { type Language, useLanguage, useWords, words } from '../../../words.ts'
import { typeWords } from '../words.ts'
import { asWritten, type Draft, sums } from './draft.ts'

const said = words(
  {
    title: 'Somebody else has changed this draft', by: (name: string, at: string) => `${name} saved it at ${at}, while you were typing.`,
    plain: 'It was saved elsewhere while you were typing.', both: 'Neither version is lost: choose how to go on.',
    field: '', mine: 'Yours', theirs: 'Theirs', keepBoth: 'Keep both: yours as a new draft', useMine: 'Replace theirs with yours', useTheirs: 'Go on with theirs',
    fields: {
      customerName: 'Customer', documentType: 'Type', issueDate: 'Issue date', dueDate: 'Due', currency: 'Currency', taxRate: 'Tax rate',
      notes: 'Notes', items: 'Lines', total: 'Total',
    },
    same: 'What is shown is the same in both.', nothing: '–',
  },
  {
    title: 'מישהו אחר שינה את הטיוטה', by: (name, at) => `${name} שמר אותה ב־${at}, בזמן שהקלדתם.`,
    plain: 'הטיוטה נשמרה במקום אחר בזמן שהקלדתם.', both: 'אף גרסה לא אבדה: בחרו איך להמשיך.',
    field: '', mine: 'שלכם', theirs: 'שלהם', keepBoth: 'לשמור את שתיהן: שלכם כטיוטה חדשה', useMine: 'להחליף את שלהם בשלכם', useTheirs: 'להמשיך עם שלהם',
    fields: {
      customerName: 'לקוח', documentType: 'סוג', issueDate: 'תאריך הפקה', dueDate: 'לתשלום עד', currency: 'מטבע', taxRate: 'שיעור המס',
      notes: 'הערות', items: 'שורות', total: 'סה״כ',
    },
    same: 'מה שמוצג זהה בשתיהן.', nothing: '–',
  },
) // biome-ignore format: a list of words

type ConflictProps = {
  org: string
  refused: Refused
  mine: Draft
  theirs: Draft
  onMine: () => void
  onTheirs: () => void
  onBoth: (copy: { id: string; updatedAt: string }) => void
}

/** Two people have written one draft: both versions side by side, and nothing is thrown away unless somebody says so. */
export function Conflict({ org, refused, mine, theirs, onMine, onTheirs, onBoth }: ConflictProps) {
  const say = useWords(said)
  const lang = useLanguage()
  const { changedBy, changedAt } = refused.params
  const rows = useDifferences(mine, theirs)
  return (
    <Dialog
      wide
      title={say.title}
      onClose={() => {}}
      footer={
        <>
          <Button onPress={onTheirs}>{say.useTheirs}</Button>
          <Button onPress={onMine}>{say.useMine}</Button>
          <Button
            look="primary"
            autoFocus
            onPress={async () =>
              onBoth(
                await call(
                  'invoices_create',
                  { organizationId: org, ...asWritten(mine) },
                  { key: crypto.randomUUID() },
                ),
              )
            }
          >
            {say.keepBoth}
          </Button>
        </>
      }
    >
      <p>
        {changedBy ? say.by(String(changedBy), shownInstant(lang, String(changedAt))) : say.plain} {say.both}
      </p>
      {rows.length === 0 ? (
        <p>{say.same}</p>
      ) : (
        <table className="w-full text-start">
          <thead>
            <tr className="text-xs text-soft border-b border-rule">
              <td className="py-1" />
              <th scope="col" className="py-1 text-start font-medium">
                {say.mine}
              </th>
              <th scope="col" className="py-1 text-start font-medium">
                {say.theirs}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ field, mine: own, theirs: other }) => (
              <tr key={field} className="border-b border-rule align-top">
                <th scope="row" className="py-1.5 pe-4 text-start font-normal text-soft">
                  {field}
                </th>
                <td className="py-1.5 pe-4 whitespace-pre-wrap">
                  <bdi>{own || say.nothing}</bdi>
                </td>
                <td className="py-1.5 whitespace-pre-wrap">
                  <bdi>{other || say.nothing}</bdi>
                </td>
              </tr>
            ))}
            <tr>
              <th scope="row" className="py-1.5 text-start font-normal text-soft">
                {say.fields.total}
              </th>
              {[mine, theirs].map((version, at) => (
                <td key={at} className="py-1.5 font-medium">
                  <Money amount={sums(version).total} currency={version.currency} />
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      )}
    </Dialog>
  )
}

function useDifferences(mine: Draft, theirs: Draft) {
  const say = useWords(said)
  const lang = useLanguage()
  const types = useWords(typeWords)
  const shown = (draft: Draft): Record<string, string> => ({
    customerName: draft.customerName,
    documentType: types[draft.documentType] ?? draft.documentType,
    issueDate: day(lang, draft.issueDate),
    dueDate: day(lang, draft.dueDate),
    currency: draft.currency,
    taxRate: draft.taxRate === null ? '' : `${draft.taxRate} %`,
    notes: draft.notes,
    items: draft.items
      .map(({ description, quantity, unitPrice }) => `${description} ${quantity} × ${unitPrice}`)
      .join('\n'),
  })
  const [own, other] = [shown(mine), shown(theirs)]
  return Object.keys(own)
    .filter((field) => own[field] !== other[field])
    .map((field) => ({ field: say.fields[field as keyof typeof say.fields], mine: own[field], theirs: other[field] }))
}

const day = (lang: Language, at: string) => at && shownDay(lang, at)
