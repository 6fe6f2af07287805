CREATE TABLE "form_files" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"form_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"content_type" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	CONSTRAINT "form_files_tenant_id_form_id_kind_pk" PRIMARY KEY("tenant_id","form_id","kind")
);

--> statement-breakpoint
ALTER TABLE "form_files" ADD CONSTRAINT "form_files_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "form_files" ADD CONSTRAINT "form_files_tenant_id_form_id_forms_tenant_id_id_fk" FOREIGN KEY ("tenant_id","form_id") REFERENCES "public"."forms"("tenant_id","id") ON DELETE no action ON UPDATE no action;
