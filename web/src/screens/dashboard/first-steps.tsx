import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Name, read } from '../../api.ts'
import { useMay, useOrganization, useRemembered } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useWords, words } from '../../words.ts'

const said = words(
  {
    title: 'First steps',
    close: 'Hide the first steps',
    done: 'done',
    steps: {
      customer: ['Add your first customer', 'Whom you sell to.'],
      invoice: ['Write your first invoice', 'It saves itself while you type.'],
      bank: ['Add your bank account', 'So that customers know where to pay.'],
      logo: ['Upload your logo', 'It stands on every document.'],
      colleague: ['Invite a colleague', 'Your bookkeeper, for example, with a role of their own.'],
      agent: ['Make a key for an agent', 'It works through the same operations as you.'],
    },
  },
  {
    title: 'צעדים ראשונים',
    close: 'הסתרת הצעדים הראשונים',
    done: 'בוצע',
    steps: {
      customer: ['הוסיפו את הלקוח הראשון', 'למי אתם מוכרים.'],
      invoice: ['כתבו את החשבונית הראשונה', 'היא נשמרת מעצמה בזמן ההקלדה.'],
      bank: ['הוסיפו את חשבון הבנק', 'כדי שלקוחות ידעו לאן לשלם.'],
      logo: ['העלו את הלוגו', 'הוא מופיע על כל מסמך.'],
      colleague: ['הזמינו עמית', 'למשל את מנהלת החשבונות, בתפקיד משלה.'],
      agent: ['צרו מפתח לסוכן', 'הוא עובד באותן פעולות כמוכם.'],
    },
  },
)
type Step = keyof (typeof said)['en']['steps']
const ways: readonly { step: Step; to: string; hash?: string; search?: object; needs: Name }[] = [
  { step: 'logo', to: '/o/$org/settings', hash: 'logo', needs: 'settings_update' },
  { step: 'bank', to: '/o/$org/bank-accounts', search: { new: true }, needs: 'bank_accounts_create' },
  { step: 'customer', to: '/o/$org/customers/new', needs: 'customers_create' },
  { step: 'invoice', to: '/o/$org/documents/new', needs: 'invoices_create' },
  { step: 'colleague', to: '/o/$org/settings/team', needs: 'users_invitations' },
  { step: 'agent', to: '/o/$org/settings/keys', needs: 'users_invitations' },
]
/** An organization with this many documents has found its way. */
const settledIn = 5

/** What a new organization still lacks. Each step is ticked by what is really there; the list can be put away. */
export function FirstSteps() {
  const { id: organizationId } = useOrganization()
  const [kept, keep] = useRemembered('firstSteps', organizationId)
  const { data } = useQuery(read('invoices_list', { organizationId, limit: 1, lines: false }))
  const documents = data?.pagination.total
  if (kept?.dismissed || documents === undefined || documents >= settledIn) return null
  return <Steps hasInvoice={documents > 0} onHide={() => keep({ dismissed: true, done: kept?.done ?? [] })} />
}

function Steps({ hasInvoice, onHide }: { hasInvoice: boolean; onHide: () => void }) {
  const say = useWords(said)
  const { id: org } = useOrganization()
  const may = useMay()
  const isDone = useDone(hasInvoice)
  const own = ways.filter(({ needs }) => may(needs))
  if (own.length === 0 || own.every(({ step }) => isDone[step])) return null
  return (
    <Card title={say.title} action={<Button look="quiet" icon="close" label={say.close} onPress={onHide} />}>
      <ol className="grid sm:grid-cols-2 lg:grid-cols-3 p-2 pt-0">
        {own.map(({ step, to, hash, search }) => (
          <li key={step}>
            <Link
              to={to}
              params={{ org }}
              {...(hash && { hash })}
              {...(search && { search: search as never })}
              className="flex gap-3 p-2 rounded-md hover:bg-tint"
            >
              <span
                aria-hidden
                className={`mt-0.5 grid place-content-center size-5 rounded-full shrink-0 ${isDone[step] ? 'bg-accent text-on-accent' : 'border border-edge'}`}
              >
                {isDone[step] && <Icon name="check" size={14} />}
              </span>
              <span>
                <span className={`block font-medium ${isDone[step] ? 'text-soft line-through' : ''}`}>
                  {say.steps[step][0]}
                </span>
                <span className="block text-sm text-soft">{isDone[step] ? say.done : say.steps[step][1]}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** Which steps are done, by what is there. */
function useDone(hasInvoice: boolean): Record<Step, boolean> {
  const { id } = useOrganization()
  const may = useMay()
  const customers = useQuery(read('customers_list', { organizationId: id, limit: 1 }))
  const accounts = useQuery(read('bank_accounts_list', { organizationId: id }))
  const settings = useQuery(read('settings_get', { id }))
  const members = useQuery(read('users_members', { id }))
  const invitations = useQuery({ ...read('users_invitations', { id }), enabled: may('users_invitations') })
  const keys = useQuery(read('api_keys_list', {}))
  return {
    customer: (customers.data?.pagination.total ?? 0) > 0,
    invoice: hasInvoice,
    bank: (accounts.data?.bankAccounts.length ?? 0) > 0,
    logo: Boolean(settings.data?.logoFileId),
    colleague: (members.data?.members.length ?? 0) > 1 || (invitations.data?.invitations.length ?? 0) > 0,
    agent: keys.data?.keys.some((key) => !key.revokedAt && (key.allOrgs || key.organizationIds.includes(id))) ?? false,
  }
}
