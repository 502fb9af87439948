/** What a person is told when the service has started: where to look, and one command to try as it stands. */
export function welcome(url: string, auth: 'required' | 'none', demo: boolean): string {
  const token = auth === 'required' ? ' -H "Authorization: Bearer $CASEBOOK_ADMIN_TOKEN"' : '';
  const event = JSON.stringify({
    involvedObject: { kind: 'Ingress', namespace: 'shop', name: 'web' },
    message: 'Ingress Sync ClientError. ErrorCode: E4011 Details: Secret web-tls has no qcloud cert id',
  });
  return `
Casebook is at ${url}
  GraphQL explorer  ${url}/graphql
  REST contract     ${url}/docs
  What it knows     ${url}/problems
${demo ? 'Three clusters with incidents are there to look at.\n' : ''}Try it:
  curl -s${token} '${url}/v1/diagnose' -d '${event}'

`;
}
