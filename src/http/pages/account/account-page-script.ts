/** Fills the lists of the account page and handles its buttons. Values from the API are only ever set as text (THR-14). */
export const accountPageScript = `
  const account = document.getElementById('authenticator')
  const part = (name) => account.querySelector('.' + name)
  const when = (instant) => new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant))

  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...children)
    return element
  }

  /** A row of a list: title, details, and a button that removes it. */
  const entry = ({ title, mark, details, action, confirmation, path, onClick }) => {
    const name = make('strong', {}, make('bdi', { textContent: title }))
    if (mark) name.append(' ', make('span', { className: 'good', textContent: mark }))
    const about = make('div', {}, name, make('p', { className: 'facts', textContent: details.filter(Boolean).join(' · ') }))
    const button = make('button', { type: 'button', className: 'small', textContent: action, ariaLabel: action + ': ' + title })
    button.addEventListener('click', async () => {
      if (onClick) return onClick()
      const problem = button.closest('.room').querySelector('.problem')
      problem.hidden = true
      if (!confirm(confirmation)) return
      button.disabled = true
      try {
        await ask('DELETE', path)
        await refresh()
      } catch (error) {
        problem.textContent = sentenceOf(error)
        problem.hidden = false
      } finally {
        button.disabled = false
      }
    })
    return make('li', {}, about, ...(path || onClick ? [button] : []))
  }

  const list = (name, entries) => {
    const none = make('li', { className: 'none', textContent: words.none })
    document.querySelector('[data-list=' + name + ']').replaceChildren(...(entries.length > 0 ? entries.map(entry) : [none]))
  }

  const browserOf = (agent) => {
    const first = (names) => names.find(([pattern]) => pattern.test(agent))?.[1]
    const browser = first([[/Edg/, 'Edge'], [/OPR/, 'Opera'], [/Firefox/, 'Firefox'], [/Chrom/, 'Chrome'], [/Safari/, 'Safari'], [/^curl/, 'curl']])
    const system = first([[/Windows/, 'Windows'], [/Android/, 'Android'], [/iPhone|iPad/, 'iOS'], [/Mac OS/, 'macOS'], [/Linux/, 'Linux']])
    return [browser ?? words.unknownAgent, system].filter(Boolean).join(' · ')
  }

  const showFactors = ({ authenticator, passkeys }) => {
    part('off').hidden = Boolean(authenticator.confirmedAt)
    part('on').hidden = !authenticator.confirmedAt
    part('scan').hidden = true
    part('left').textContent = words.codesLeft.replace('{n}', authenticator.recoveryCodesLeft)
    list('passkeys', passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      title: name,
      details: [words.added + ' ' + when(createdAt), lastUsedAt ? words.used + ' ' + when(lastUsedAt) : words.neverUsed],
      action: words.remove,
      onClick: () => showRemoval(id, name),
    })))
    removal.hidden = true
  }

  /** Removing a passkey takes the password, so that a stolen session cannot lock its owner out. */
  const removal = document.querySelector('#passkeys .removal')
  const showRemoval = (id, name) => {
    removal.hidden = false
    removal.querySelector('bdi').textContent = name
    removal.querySelector('[name=id]').value = id
    removal.querySelector('[name=password]').focus()
  }
  after.removed = (_, form) => {
    form.reset()
    return refresh()
  }

  const showSessions = ({ sessions }) =>
    list('sessions', sessions.map(({ id, current, userAgent, address, lastSeenAt }) => ({
      title: browserOf(userAgent ?? ''),
      mark: current && words.thisBrowser,
      details: [address, words.seen + ' ' + when(lastSeenAt)],
      action: words.end,
      confirmation: words.confirmEnd,
      path: !current && '/api/auth/sessions/' + id,
    })))

  const showKeys = ({ keys }) =>
    list('keys', keys.filter(({ revokedAt }) => !revokedAt).map(({ id, name, prefix, scopes, lastUsedAt }) => ({
      title: name,
      details: [prefix + '…', scopes.join(', '), lastUsedAt ? words.used + ' ' + when(lastUsedAt) : words.neverUsed],
      action: words.revoke,
      confirmation: words.confirmRevoke,
      path: '/api/api-keys/' + id,
    })))

  const showApps = ({ apps }) =>
    list('apps', apps.map(({ id, clientName, organizations, scopes, lastUsedAt }) => ({
      title: clientName,
      details: [organizations.map(({ name }) => name).join(', '), scopes.join(', '), lastUsedAt ? words.used + ' ' + when(lastUsedAt) : words.neverUsed],
      action: words.disconnect,
      confirmation: words.confirmDisconnect,
      path: '/api/users/me/connected-apps/' + id,
    })))

  const refresh = async () => {
    const apps = document.querySelector('[data-list=apps]')
    await Promise.all([
      ask('GET', '/api/auth/factors').then(showFactors),
      ask('GET', '/api/auth/sessions').then(showSessions),
      ask('GET', '/api/api-keys').then(showKeys),
      apps && ask('GET', '/api/users/me/connected-apps').then(showApps),
    ])
  }

  /** Folds the form, reloads the lists and shows the form's success message. */
  after.folded = async (answer, form) => {
    form.reset()
    form.closest('.folded').open = false
    await refresh()
    const done = form.closest('.room').querySelector(':scope > .done')
    if (!done) return
    done.hidden = false
    done.focus()
  }

  after.scan = ({ secret, qr }, form) => {
    form.reset()
    form.closest('.folded').open = false
    part('off').hidden = true
    part('scan').hidden = false
    part('qr').src = 'data:image/svg+xml;base64,' + btoa(qr)
    part('secret').textContent = secret.replace(/(.{4})(?=.)/g, '$1 ')
    part('scan').querySelector('input').focus()
  }

  after.codes = async ({ recoveryCodes }, form) => {
    form.reset()
    const folded = form.closest('.folded')
    if (folded) folded.open = false
    await refresh()
    part('codes').replaceChildren(...recoveryCodes.map((code) => make('li', {}, make('code', { textContent: code }))))
    part('recovery').hidden = false
    document.body.classList.add('has-codes')
    part('recovery').focus()
  }

  const actions = {
    async copyCodes(button) {
      await navigator.clipboard.writeText([...part('codes').children].map(({ textContent }) => textContent).join('\\n'))
      const label = button.textContent
      button.textContent = words.copied
      setTimeout(() => { button.textContent = label }, 1600)
    },
    printCodes: () => print(),
    hideCodes() {
      part('codes').replaceChildren()
      part('recovery').hidden = true
      document.body.classList.remove('has-codes')
    },
  }

  if (account) {
    for (const button of document.querySelectorAll('[data-do]')) button.addEventListener('click', () => actions[button.dataset.do](button))
    refresh().catch((problem) => {
      if (problem.status === 401) return location.reload() // the session ended: on reload the server redirects to the sign-in page
      const element = account.querySelector('.on').parentElement
      element.prepend(make('p', { className: 'problem', textContent: sentenceOf(problem) }))
    })
  }
`
