INSERT INTO "form_files" ("tenant_id", "form_id", "kind", "content_type", "content") SELECT "tenant_id", "form_id", 'logo', "content_type", "content" FROM "form_logos";
--> statement-breakpoint
DROP TABLE "form_logos" CASCADE;
