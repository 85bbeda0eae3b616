// Starts Swagger UI. The page has an origin of its own: it cannot store anything, and sends no cookies.
window.SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // No description from elsewhere, whatever the page's address says.
  queryConfigEnabled: false,
  validatorUrl: null,
  persistAuthorization: false,
});
