/** The fields of a JSON-RPC message that the bridge reads. */
export type Message = {
  jsonrpc?: string
  id?: unknown
  method?: string
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> }
  result?: { protocolVersion?: string }
  error?: { code: number; message: string }
}

/** The headers that repeat parts of the message, in either generation of the protocol (SEP-2243). */
export function headersFor({ method, params }: Message, negotiated: string | undefined): Record<string, string> {
  const claimed = params?._meta?.['io.modelcontextprotocol/protocolVersion']
  if (typeof claimed !== 'string') return negotiated ? { 'mcp-protocol-version': negotiated } : {}
  const name = method === 'resources/read' ? params?.uri : params?.name
  return {
    'mcp-protocol-version': claimed,
    'mcp-method': method ?? '',
    ...(typeof name === 'string' && { 'mcp-name': headerValue(name) }),
  }
}

/** Text that is not allowed in a header is encoded in base64 with a prefix; so is text that begins with that prefix. */
const headerValue = (text: string) =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
