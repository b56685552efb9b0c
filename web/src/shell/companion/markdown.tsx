import { lexer, type Token, type Tokens } from 'marked'
import type { ReactNode } from 'react'

/** Markdown as elements. HTML in it is shown as the text that it is, and only ordinary addresses become links. */
export const Markdown = ({ text }: { text: string }) => (
  <div className="grid gap-2 min-w-0 wrap-anywhere" dir="auto">
    {shown(lexer(text))}
  </div>
)

const shown = (tokens: readonly Token[] | undefined): ReactNode =>
  tokens?.map((token, at) => <Part key={at} of={token} />)

const inner = (token: Token): ReactNode => ('tokens' in token && token.tokens ? shown(token.tokens) : plain(token))
const plain = (token: Token): string => ('text' in token ? String(token.text) : token.raw)
const isAddress = (href: string) => /^(https?:\/\/|mailto:|\/(?!\/))/i.test(href)

function Part({ of: token }: { of: Token }): ReactNode {
  switch (token.type) {
    case 'space':
      return null
    case 'br':
      return <br />
    case 'hr':
      return <hr className="border-rule" />
    case 'paragraph':
      return <p dir="auto">{inner(token)}</p>
    case 'heading':
      return <p className="font-semibold">{inner(token)}</p>
    case 'strong':
      return <strong className="font-semibold">{inner(token)}</strong>
    case 'em':
      return <em>{inner(token)}</em>
    case 'del':
      return <s>{inner(token)}</s>
    case 'codespan':
      return (
        <code dir="ltr" className="font-mono text-sm bg-tint rounded-sm px-1">
          {plain(token)}
        </code>
      )
    case 'code':
      return <Block>{plain(token)}</Block>
    case 'blockquote':
      return <blockquote className="border-s-2 border-rule ps-3 grid gap-2">{inner(token)}</blockquote>
    case 'list':
      return <List of={token as Tokens.List} />
    case 'table':
      return <Rows of={token as Tokens.Table} />
    case 'link':
      return <Address of={token as Tokens.Link} />
    case 'html':
      return <>{token.raw}</>
    default:
      return <>{inner(token)}</>
  }
}

/** Text of a program, from left to right in every language. */
export const Block = ({ children }: { children: string }) => (
  <pre dir="ltr" tabIndex={0} className="font-mono text-sm bg-tint rounded-md p-2 overflow-x-auto">
    {children}
  </pre>
)

const Address = ({ of: { href, tokens } }: { of: Tokens.Link }) =>
  isAddress(href) ? (
    <a
      href={href}
      className="text-accent underline"
      {...(/^http/i.test(href) && { target: '_blank', rel: 'noreferrer' })}
    >
      {shown(tokens)}
    </a>
  ) : (
    shown(tokens)
  )

function List({ of: { ordered, items, start } }: { of: Tokens.List }) {
  const rows = items.map((item, at) => <li key={at}>{shown(item.tokens)}</li>)
  return ordered ? (
    <ol start={Number(start) || 1} className="list-decimal ps-5 grid gap-1">
      {rows}
    </ol>
  ) : (
    <ul className="list-disc ps-5 grid gap-1">{rows}</ul>
  )
}

const Rows = ({ of: { header, rows } }: { of: Tokens.Table }) => (
  <div className="relative overflow-x-auto" tabIndex={0}>
    <table className="text-sm tabular-nums">
      <thead>
        <tr>
          {header.map((cell, at) => (
            <th key={at} className="text-start font-medium pe-4 py-1 border-b border-rule">
              {shown(cell.tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, at) => (
              <td key={at} className="pe-4 py-1 border-b border-rule">
                <bdi>{shown(cell.tokens)}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
