import { Link } from '@tanstack/react-router'
import { useMay, useOrganization } from '../../session.ts'
import { useTitle } from '../../ui/title.ts'
import { useLanguage, useWords } from '../../words.ts'
import { reports } from './reports.ts'
import { reportWords } from './words.ts'

/** Every report that fits the country and the role. */
export function Reports() {
  const say = useWords(reportWords)
  const lang = useLanguage()
  useTitle(say.title)
  const may = useMay()
  const { id: org, country: here } = useOrganization()
  const shown = reports.filter(({ name, country }) => may(name) && (!country || country === here))
  return (
    <div className="flex-1 overflow-y-auto">
      <div className="mx-auto max-w-[60rem] p-4 md:px-8 md:py-6 grid gap-4">
        <h1 className="font-serif text-xl font-semibold">{say.title}</h1>
        <ul className="grid sm:grid-cols-2 gap-3">
          {shown.map(({ key, title, about }) => (
            <li key={key}>
              <Link
                to="/o/$org/reports/$name"
                params={{ org, name: key }}
                className="block h-full bg-card border border-rule rounded-lg p-4 hover:bg-tint"
              >
                <span className="block font-medium">{title[lang]}</span>
                <span className="block text-soft">{about[lang]}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
