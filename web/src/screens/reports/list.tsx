import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { read } from '../../api.ts'
import { useMay, useOrganization } from '../../session.ts'
import { useTitle } from '../../ui/title.ts'
import { useLanguage, useWords } from '../../words.ts'
import { fileWords } from './file-words.ts'
import { reports } from './reports.ts'
import { reportWords } from './words.ts'

/** Every report that fits the country and the role, by what it is about. */
export function Reports() {
  const say = useWords(reportWords)
  useTitle(say.title)
  const may = useMay()
  const lang = useLanguage()
  const { id: org } = useOrganization()
  const shown = reports.filter(({ name }) => may(name))
  const groups = [...new Set(shown.map(({ group }) => group))]
  return (
    <div className="flex-1 overflow-y-auto">
      <div className="mx-auto max-w-[60rem] p-4 md:px-8 md:py-6 grid gap-5">
        <h1 className="font-serif text-xl font-semibold">{say.title}</h1>
        {groups.map((group) => (
          <Group key={group} title={say.groups[group]}>
            {shown
              .filter((report) => report.group === group)
              .map(({ key, title, about }) => (
                <ReportCard
                  key={key}
                  to="/o/$org/reports/$name"
                  params={{ org, name: key }}
                  title={title[lang]}
                  about={about[lang]}
                />
              ))}
          </Group>
        ))}
        {may('reports_statutory_files') && <Files />}
      </div>
    </div>
  )
}

/** The files that the tax authority of the country asks for. */
function Files() {
  const say = useWords(fileWords)
  const lang = useLanguage()
  const { id: organizationId } = useOrganization()
  const { data } = useQuery(read('reports_statutory_files', { organizationId }))
  if (!data || data.files.length === 0) return null
  return (
    <Group title={say.group}>
      {data.files.map(({ file, name, nameHe, description }) => (
        <ReportCard
          key={file}
          to="/o/$org/reports/files/$file"
          params={{ org: organizationId, file }}
          title={<bdi>{lang === 'he' ? nameHe : name}</bdi>}
          about={say.about[file] ?? <bdi>{description}</bdi>}
        />
      ))}
    </Group>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="grid gap-2">
    <h2 className="text-sm text-soft">{title}</h2>
    <ul className="grid sm:grid-cols-2 gap-3">{children}</ul>
  </section>
)

type CardProps = Pick<LinkProps, 'to' | 'params'> & { title: ReactNode; about: ReactNode }

const ReportCard = ({ title, about, ...way }: CardProps) => (
  <li>
    <Link {...(way as LinkProps)} className="block h-full bg-card border border-rule rounded-lg p-4 hover:bg-tint">
      <span className="block font-medium">{title}</span>
      <span className="block text-soft">{about}</span>
    </Link>
  </li>
)
