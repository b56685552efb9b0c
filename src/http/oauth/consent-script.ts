/** Sends the person's decision as JSON and opens the page that the server names next. */
export const consentScript = `(() => {
  const form = document.querySelector('form.consent')
  if (!form) return
  const problem = form.querySelector('.problem')
  const buttons = [...form.querySelectorAll('button')]

  /** The message in the reader's language, by the error code or the field. */
  const sentenceOf = ({ code, message, details: [detail] = [] }) => {
    const messages = JSON.parse(form.dataset.problems)
    return messages[detail?.code] ?? messages[detail?.path] ?? messages[code] ?? message
  }

  const answer = async (approve) => {
    problem.hidden = true
    for (const button of buttons) button.disabled = true
    try {
      const organizationIds = [...form.querySelectorAll('input:checked')].map((input) => input.value)
      const reply = await fetch(location.pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(approve ? { approve, organizationIds } : { approve }),
      })
      const result = await reply.json()
      if (!reply.ok) throw new Error(sentenceOf(result.error))
      location.assign(result.next)
    } catch (error) {
      problem.textContent = error instanceof TypeError || error instanceof SyntaxError ? form.dataset.failed : error.message
      problem.hidden = false
      for (const button of buttons) button.disabled = false
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    answer(event.submitter?.value !== 'deny')
  })
})()
`
