/** A JSON-RPC message, as far as a carrier looks at it. */
export type Message = {
  jsonrpc?: string
  id?: unknown
  method?: string
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> }
  result?: { protocolVersion?: string }
  error?: { code: number; message: string }
}

/** What of a message its HTTP request says again in headers, in either generation of the protocol (SEP-2243). */
export function headersFor({ method, params }: Message, negotiated: string | undefined): Record<string, string> {
  const claimed = params?._meta?.['io.modelcontextprotocol/protocolVersion']
  if (typeof claimed !== 'string') return negotiated ? { 'mcp-protocol-version': negotiated } : {}
  const name = method === 'resources/read' ? params?.uri : params?.name
  return {
    'mcp-protocol-version': claimed,
    'mcp-method': method ?? '',
    ...(typeof name === 'string' && { 'mcp-name': inHeader(name) }),
  }
}

/** Text that does not fit a header travels in Base64, marked as such; so does what would look marked. */
const inHeader = (text: string) =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
