CREATE TABLE "form_edits" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"form_id" text COLLATE "C" NOT NULL,
	"version" bigint NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"what" text COLLATE "C" NOT NULL,
	"author_id" text COLLATE "C",
	"content" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "form_edits_tenant_id_form_id_version_pk" PRIMARY KEY("tenant_id","form_id","version")
);

--> statement-breakpoint
ALTER TABLE "form_edits" ADD CONSTRAINT "form_edits_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "form_edits" ADD CONSTRAINT "form_edits_tenant_id_form_id_forms_tenant_id_id_fk" FOREIGN KEY ("tenant_id","form_id") REFERENCES "public"."forms"("tenant_id","id") ON DELETE no action ON UPDATE no action;
