import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Input, send, session, useWrite } from '../../api.ts'
import { useNumberNames } from '../../country.ts'
import { type CountryFacts, useCountries } from '../../session.ts'
import { usePreferences } from '../../shell/preferences.ts'
import { SignInAgain } from '../../shell/sign-in-again.tsx'
import { countryNames } from '../../shown.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceField } from '../../ui/forms/choice-field.tsx'
import { CurrencyField } from '../../ui/forms/currency-field.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { TextField } from '../../ui/forms/text-field.tsx'
import { ZoneField } from '../../ui/forms/zone-field.tsx'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { useTitle } from '../../ui/title.ts'
import { Mark } from '../../ui/values/mark.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { welcomeWords } from './words.ts'

const here = Intl.DateTimeFormat().resolvedOptions().timeZone
const isHere = ({ timezones }: CountryFacts) => timezones.some((zone) => here.startsWith(zone))

type Chosen = Input<'organizations_create'>['country']

/** What is proposed for a country until the person says otherwise: the zone of the reader if they are there, else that of the country. */
const proposedFor = (country: CountryFacts) => ({
  country: country.code as Chosen,
  currency: country.currency,
  timezone: isHere(country) ? here : country.timezone,
})

/** The first steps of somebody without an organization. */
export function Welcome() {
  const say = useWords(welcomeWords)
  const lang = useLanguage()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const create = useWrite('organizations_create')
  const countries = useCountries()
  const first = countries.find(isHere)
  // where the reader is in none of them, they choose
  const initial = { name: '', timezone: here, ...(first && proposedFor(first)) } as Input<'organizations_create'>
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
    const chosen = countries.find(({ code }) => code === next)
    if (!chosen) return
    const { country, currency, timezone } = proposedFor(chosen)
    form.set('country', country)
    form.set('currency', currency)
    form.set('timezone', timezone)
  }
  const own = countries.find(({ code }) => code === form.values.country)
  const numbers = useNumberNames(form.values.country)
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
          options={countryNames(
            lang,
            countries.map(({ code }) => code),
          )}
        />
        <TextField {...form.at('name')} label={say.name} hint={say.nameHint} autoFocus />
        <TextField
          {...form.at('registrationNumber')}
          label={say.optional(numbers.registration.label[lang])}
          dir="ltr"
        />
        <TextField
          {...form.at('taxNumber')}
          label={say.optional(numbers.tax.label[lang])}
          hint={numbers.tax.hint?.[lang] ?? ''}
          dir="ltr"
        />
        <CurrencyField {...form.at('currency')} label={say.currency} />
        <ZoneField
          {...form.at('timezone')}
          label={say.zone}
          first={own ? [proposedFor(own).timezone, own.timezone] : []}
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

/** Doubts about numbers, by the code of the server's warning. */
const doubts: Record<string, string> = {
  REGISTRATION_NUMBER: 'מספר הרישום אינו נראה תקין. השוו אותו לתעודה.',
  TAX_NUMBER: 'מספר העוסק אינו נראה תקין. השוו אותו לתעודה.',
}
const numberDoubt = (lang: 'en' | 'he', { code, message }: { code: string; message: string }): string =>
  (lang === 'he' && doubts[code]) || message
