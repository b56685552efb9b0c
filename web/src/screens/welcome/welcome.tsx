import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Input, send, session, useWrite } from '../../api.ts'
import { usePreferences } from '../../shell/preferences.ts'
import { SignInAgain } from '../../shell/sign-in-again.tsx'
import { countryNames } from '../../shown.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceField } from '../../ui/choice-field.tsx'
import { CurrencyField } from '../../ui/currency-field.tsx'
import { useForm } from '../../ui/form.ts'
import { Mark } from '../../ui/mark.tsx'
import { numberDoubt, numberNames } from '../../ui/number-names.ts'
import { TextField } from '../../ui/text-field.tsx'
import { useTitle } from '../../ui/title.ts'
import { say as tell } from '../../ui/toast.tsx'
import { ZoneField } from '../../ui/zone-field.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { welcomeWords } from './words.ts'

/** What is proposed for a country until the person says otherwise. */
const proposed = {
  IL: { currency: 'ILS', timezone: 'Asia/Jerusalem' },
  SG: { currency: 'SGD', timezone: 'Asia/Singapore' },
  US: { currency: 'USD', timezone: 'America/New_York' },
}
type Country = keyof typeof proposed

const here = Intl.DateTimeFormat().resolvedOptions().timeZone
const countryHere: Country = here === 'Asia/Jerusalem' ? 'IL' : here === 'Asia/Singapore' ? 'SG' : 'US'
/** The country's zone; in the United States that of the reader, if they are in America. */
const proposedFor = (country: Country) =>
  country === 'US' && here.startsWith('America/') ? { ...proposed.US, timezone: here } : proposed[country]

/** The first steps of somebody without an organization. */
export function Welcome() {
  const say = useWords(welcomeWords)
  const lang = useLanguage()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const create = useWrite('organizations_create')
  const initial: Input<'organizations_create'> = { name: '', country: countryHere, ...proposedFor(countryHere) }
  const form = useForm({
    initial,
    save: (organization, key) => create.mutateAsync({ ...organization, key }),
    after: async ({ id, name, warnings = [] }) => {
      const doubts = warnings.map((warning) => numberDoubt(lang, warning)).join(' ')
      tell(say.created(name), doubts ? { bad: true, description: say.check(doubts) } : {})
      await queries.fetchQuery({ ...session, staleTime: 0 }) // the way to it is closed until the session knows it
      await navigate({ to: '/o/$org', params: { org: id } })
    },
  })
  const choose = (next: string) => {
    form.set('country', next as Country)
    form.set('currency', proposedFor(next as Country).currency)
    form.set('timezone', proposedFor(next as Country).timezone)
  }
  const numbers = numberNames(lang, form.values.country)
  useTitle(say.title)
  return (
    <main className="min-h-dvh grid place-content-center p-4">
      <form
        noValidate
        className="w-[min(30rem,calc(100vw-2rem))] grid gap-4 bg-card border border-rule rounded-xl p-6"
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit()
        }}
      >
        <Mark />
        <div>
          <h1 className="font-serif text-xl font-semibold">{say.title}</h1>
          <p className="text-soft">{say.hint}</p>
        </div>
        {form.problem && <Alert>{form.problem}</Alert>}
        <ChoiceField
          {...form.at('country')}
          onChange={choose}
          label={say.country}
          hint={say.countryHint}
          options={countryNames(lang, Object.keys(proposed))}
        />
        <TextField {...form.at('name')} label={say.name} hint={say.nameHint} autoFocus />
        <TextField {...form.at('registrationNumber')} label={say.optional(numbers.registration)} dir="ltr" />
        <TextField {...form.at('taxNumber')} label={say.optional(numbers.tax)} hint={numbers.taxHint} dir="ltr" />
        <CurrencyField {...form.at('currency')} label={say.currency} />
        <ZoneField
          {...form.at('timezone')}
          label={say.zone}
          first={[proposedFor(form.values.country).timezone, proposed[form.values.country].timezone]}
        />
        <Button look="primary" type="submit" busy={form.busy}>
          {say.save}
        </Button>
      </form>
      <WayOut />
      <SignInAgain />
    </main>
  )
}

/** For somebody who waits for an invitation, is here by mistake, or reads another language. */
function WayOut() {
  const say = useWords(welcomeWords)
  const lang = useLanguage()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { change } = usePreferences()
  async function look() {
    const { organizations } = await queries.fetchQuery({ ...session, staleTime: 0 })
    if (organizations.length > 0) await navigate({ to: '/app' })
    else tell(say.notYet)
  }
  async function leave() {
    await send('POST', '/api/auth/sign-out')
    location.assign('/sign-in')
  }
  return (
    <div className="grid gap-2 pt-4 text-soft w-[min(30rem,calc(100vw-2rem))]">
      <p>{say.waiting}</p>
      <div className="flex flex-wrap gap-1">
        <Button look="quiet" icon="refresh" onPress={() => void look()}>
          {say.look}
        </Button>
        <Button look="quiet" icon="language" onPress={() => change({ language: lang === 'he' ? 'en' : 'he' })}>
          {lang === 'he' ? 'English' : 'עברית'}
        </Button>
        <Button look="quiet" icon="leave" onPress={() => void leave()}>
          {say.signOut}
        </Button>
      </div>
    </div>
  )
}
