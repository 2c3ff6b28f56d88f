/** One value as it may come back: in an address, in a form's body, in JSON, in HTML, in a header. */

export function secretForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const forms = [value, json, html(value), html(value).replaceAll('&#39;', "'"), Buffer.from(value).toString('base64')];
  // Half of a surrogate pair can't be written into an address.
  if (value.isWellFormed()) {
    const address = encodeURIComponent(value);
    forms.push(address, encodeURI(value), new URLSearchParams({ '': value }).toString().slice(1));
  }
  return [...new Set(forms)].filter((form) => form.length > 0);
}

function html(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
