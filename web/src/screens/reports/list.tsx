import { Link } from '@tanstack/react-router'
import { useMay, useOrganization } from '../../session.ts'
import { useTitle } from '../../ui/title.ts'
import { useLanguage, useWords } from '../../words.ts'
import { type Report, reports } from './reports.ts'
import { reportWords } from './words.ts'

/** Every report that fits the country and the role, by what it is about. */
export function Reports() {
  const say = useWords(reportWords)
  useTitle(say.title)
  const may = useMay()
  const { country: here } = useOrganization()
  const shown = reports.filter(({ name, country }) => may(name) && (!country || country === here))
  const groups = [...new Set(shown.map(({ group }) => group))]
  return (
    <div className="flex-1 overflow-y-auto">
      <div className="mx-auto max-w-[60rem] p-4 md:px-8 md:py-6 grid gap-5">
        <h1 className="font-serif text-xl font-semibold">{say.title}</h1>
        {groups.map((group) => (
          <section key={group} aria-label={say.groups[group]} className="grid gap-2">
            <h2 className="text-sm text-soft">{say.groups[group]}</h2>
            <ul className="grid sm:grid-cols-2 gap-3">
              {shown
                .filter((report) => report.group === group)
                .map((report) => (
                  <ReportCard key={report.key} report={report} />
                ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}

function ReportCard({ report: { key, title, about } }: { report: Report }) {
  const lang = useLanguage()
  const { id: org } = useOrganization()
  return (
    <li>
      <Link
        to="/o/$org/reports/$name"
        params={{ org, name: key }}
        className="block h-full bg-card border border-rule rounded-lg p-4 hover:bg-tint"
      >
        <span className="block font-medium">{title[lang]}</span>
        <span className="block text-soft">{about[lang]}</span>
      </Link>
    </li>
  )
}
