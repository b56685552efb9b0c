/** Creates and uses passkeys. The API exchanges JSON with bytes as base64url; older browsers need the conversion done here. */
export const passkeyScript = `
  const toBytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  const toText = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

  const toPublicKey = ({ challenge, user, excludeCredentials = [], allowCredentials = [], ...rest }) => ({
    ...rest,
    challenge: toBytes(challenge),
    ...(user && { user: { ...user, id: toBytes(user.id) } }),
    excludeCredentials: excludeCredentials.map((known) => ({ ...known, id: toBytes(known.id) })),
    allowCredentials: allowCredentials.map((known) => ({ ...known, id: toBytes(known.id) })),
  })

  const toJson = (credential) => {
    if (credential.toJSON) return credential.toJSON()
    const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = credential.response
    const response = Object.entries({ clientDataJSON, attestationObject, authenticatorData, signature, userHandle })
    return {
      id: credential.id,
      rawId: toText(credential.rawId),
      type: credential.type,
      clientExtensionResults: credential.getClientExtensionResults(),
      response: Object.fromEntries(response.flatMap(([name, bytes]) => (bytes ? [[name, toText(bytes)]] : []))),
    }
  }

  const passkeys = () => {
    if (!window.PublicKeyCredential) throw new DOMException('', window.isSecureContext ? 'NotSupportedError' : 'SecurityError')
    return PublicKeyCredential
  }

  const usePasskey = async (options) => {
    const publicKey = passkeys().parseRequestOptionsFromJSON?.(options) ?? toPublicKey(options)
    return toJson(await navigator.credentials.get({ publicKey }))
  }

  const makePasskey = async (options) => {
    const publicKey = passkeys().parseCreationOptionsFromJSON?.(options) ?? toPublicKey(options)
    return toJson(await navigator.credentials.create({ publicKey }))
  }

  submitBy.passkeySignIn = async (form) => {
    passkeys()
    const response = await usePasskey(await ask('POST', form.getAttribute('action') + '/options', {}))
    return ask('POST', form.getAttribute('action'), { response }).catch((problem) => {
      if (codeOf(problem) !== 'WRONG_CREDENTIALS') throw problem
      throw refusal(401, { message: problem.message, details: [{ path: '', code: 'UNKNOWN_PASSKEY', message: problem.message }] })
    })
  }

  submitBy.passkeyAdd = async (form) => {
    passkeys()
    const { name, password } = valuesOf(form)
    const response = await makePasskey(await ask('POST', '/api/auth/passkeys/options', { password }))
    return ask('POST', '/api/auth/passkeys', { name, response })
  }
`
